import { Controller, Param, Post, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@app/core/access/declarations';
import { Answers, AnswersNothing, Input } from '@app/core/wire/declarations';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import type { UserDetails } from '@app/users/user.values';
import { RecoveryService } from './recovery.service';
import type { PasswordReset, RecoveryWish } from './recovery.values';
import { ResetTokenGuard } from './reset-token.guard';
import { RecoveryShapes } from './shapes/recovery.shapes';

@ApiTags('login')
@Controller('resetting')
export class RecoveryController {
  constructor(private readonly recovery: RecoveryService) {}

  @Post('send_email')
  @PublicRoute('for whoever can not log in')
  @AnswersNothing()
  sendEmail(@Input(RecoveryShapes, 'wish') wish: RecoveryWish): Promise<void> {
    return this.recovery.ask(wish);
  }

  @Post(':token')
  @PublicRoute('the token of the mail is the credential')
  @UseGuards(ResetTokenGuard)
  @ApiParam({ name: 'token', type: String })
  @Answers(200, UsersShapes, 'single')
  reset(
    @Param('token') token: string,
    @Input(RecoveryShapes, 'reset') reset: PasswordReset,
  ): Promise<UserDetails> {
    return this.recovery.reset(token, reset);
  }
}
