import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TheClient, type Client } from '@app/core/access/client';
import { PublicRoute } from '@app/core/access/declarations';
import { Answers, Input } from '@app/core/wire/declarations';
import type { LoggedIn, LoginAttempt, PasswordLogin } from '../auth.values';
import { AuthShapes } from '../shapes/auth.shapes';
import { TwoFactorShapes } from '../shapes/variant-a/two-factor.shapes';
import { TwoFactorService } from './two-factor.service';

const BY_PASSWORD = 'name and password in the body stand for the credential';

/** Setting two-factor login up, for users who can not log in before it is. */
@ApiTags('login')
@Controller()
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Post('enable2faandget2fasecret')
  @PublicRoute(BY_PASSWORD)
  @Answers(200, TwoFactorShapes, 'secret')
  showSecret(
    @Input(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
    @TheClient() client: Client,
  ): Promise<string> {
    return this.twoFactor.showSecret(login, client);
  }

  @Post('activate2fa')
  @PublicRoute(BY_PASSWORD)
  @Answers(200, AuthShapes, 'loggedIn')
  activate(
    @Input(TwoFactorShapes, 'activation') attempt: LoginAttempt,
    @TheClient() client: Client,
  ): Promise<LoggedIn> {
    return this.twoFactor.activate(attempt, client);
  }

  @Post('cancel2faActivation')
  @PublicRoute(BY_PASSWORD)
  @Answers(200, TwoFactorShapes, 'cancelled')
  cancel(
    @Input(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
    @TheClient() client: Client,
  ): Promise<void> {
    return this.twoFactor.cancel(login, client);
  }
}
