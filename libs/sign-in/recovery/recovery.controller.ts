import { Controller, Param, Post, UseGuards } from '@nestjs/common';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import type { UserDetails } from '@app/people/users/user.columns';
import { NoContent, Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { RecoveryService } from './recovery.service';
import {
  type PasswordResetInput,
  recoveryExpired,
  type RecoveryRequestInput,
  unknownRecovery,
} from './recovery.types';
import { ResetTokenGuard } from './reset-token.guard';
import { RecoveryShapes } from './shapes/recovery.shapes';

@Tag('login')
@Controller('resetting')
export class RecoveryController {
  constructor(private readonly recovery: RecoveryService) {}

  @Post('send_email')
  @PublicRoute(
    'for whoever cannot log in',
    'Mail a link to reset the password',
    'Answers the same in the same time whether the user exists or not. The mail is written in the language of the user.',
  )
  @NoContent()
  sendEmail(
    @Ctx() ctx: RequestContext,
    @RequestBody(RecoveryShapes, 'request') wish: RecoveryRequestInput,
  ): Promise<void> {
    return this.recovery.ask(ctx, wish);
  }

  @Post(':token')
  @PublicRoute(
    'the token of the mail is the credential',
    'Set a new password with the token of a recovery mail',
    'Ends the logins and the trusted devices of the user, not its API keys.',
  )
  @UseGuards(ResetTokenGuard)
  @Refuses(unknownRecovery(), recoveryExpired())
  @RespondsWith(200, UsersShapes, 'single')
  reset(
    @Ctx() ctx: RequestContext,
    @Param('token') token: string,
    @RequestBody(RecoveryShapes, 'reset') reset: PasswordResetInput,
  ): Promise<UserDetails> {
    return this.recovery.reset(ctx, token, reset);
  }
}
