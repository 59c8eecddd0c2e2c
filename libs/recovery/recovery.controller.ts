import { Controller, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import type { UserDetails } from '@app/users/user.types';
import { RecoveryExpired, UnknownRecovery } from './recovery.errors';
import { RecoveryService } from './recovery.service';
import type { PasswordReset, RecoveryRequestInput } from './recovery.types';
import { ResetTokenGuard } from './reset-token.guard';
import { RecoveryShapes } from './shapes/recovery.shapes';

@ApiTags('login')
@Controller('resetting')
export class RecoveryController {
  constructor(private readonly recovery: RecoveryService) {}

  @Post('send_email')
  @PublicRoute('for whoever can not log in')
  @NoContent()
  sendEmail(@RequestBody(RecoveryShapes, 'request') wish: RecoveryRequestInput): Promise<void> {
    return this.recovery.ask(wish);
  }

  @Post(':token')
  @PublicRoute('the token of the mail is the credential')
  @UseGuards(ResetTokenGuard)
  @Refuses(new UnknownRecovery(), new RecoveryExpired())
  @RespondsWith(200, UsersShapes, 'single')
  reset(
    @Param('token') token: string,
    @RequestBody(RecoveryShapes, 'reset') reset: PasswordReset,
  ): Promise<UserDetails> {
    return this.recovery.reset(token, reset);
  }
}
