import { Controller, Post } from '@nestjs/common';
import { badCredentials, secondFactorMissing } from '@app/people/users/user.types';
import { Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Authorization, Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import {
  type LoggedIn,
  type LoginInput,
  type PasswordLogin,
  secondFactorInvalid,
  unknownUsername,
} from '../auth.types';
import { ALREADY_ENABLED } from '../second-factor-states';
import { AuthShapes } from '../shapes/auth.shapes';
import { TwoFactorService } from './two-factor.service';
import { TwoFactorShapes } from './two-factor.shapes';

const BY_PASSWORD = 'name and password in the body stand for the credential';

const WITH_PASSKEY =
  'A user who has a passkey also sends a login that the passkey made, in `Authorization`: 401 `2FA is required` without it.';

/** Sets up two-factor login for users who cannot log in without it. */
@Tag('login')
@Controller()
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Post('enable2faandget2fasecret')
  @PublicRoute(BY_PASSWORD, 'Begin two-factor set-up and show its secret', WITH_PASSKEY)
  @Refuses(
    badCredentials(),
    unknownUsername,
    secondFactorInvalid(ALREADY_ENABLED),
    secondFactorMissing('SECOND_FACTOR_REQUIRED'),
  )
  @RespondsWith(200, TwoFactorShapes, 'secret')
  showSecret(
    @Ctx() ctx: RequestContext,
    @RequestBody(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
    @Authorization() authorization: string | undefined,
  ): Promise<string> {
    return this.twoFactor.showSecret(ctx, login, authorization);
  }

  @Post('activate2fa')
  @PublicRoute(BY_PASSWORD, 'Finish two-factor set-up with a right code, and log in', WITH_PASSKEY)
  @Refuses(
    badCredentials(),
    unknownUsername,
    secondFactorMissing('CODE_INVALID'),
    secondFactorMissing('SECOND_FACTOR_REQUIRED'),
  )
  @RespondsWith(200, AuthShapes, 'loggedIn')
  activate(
    @Ctx() ctx: RequestContext,
    @RequestBody(TwoFactorShapes, 'activate') input: LoginInput,
    @Authorization() authorization: string | undefined,
  ): Promise<LoggedIn> {
    return this.twoFactor.activate(ctx, input, authorization);
  }

  @Post('cancel2faActivation')
  @PublicRoute(BY_PASSWORD, 'Give up a two-factor set-up that is not finished')
  @Refuses(badCredentials(), unknownUsername, secondFactorInvalid(ALREADY_ENABLED))
  @RespondsWith(200, TwoFactorShapes, 'cancelled')
  cancel(
    @Ctx() ctx: RequestContext,
    @RequestBody(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
  ): Promise<void> {
    return this.twoFactor.cancel(ctx, login);
  }
}
