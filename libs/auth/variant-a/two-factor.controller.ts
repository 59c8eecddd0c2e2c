import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TheClient, type Client } from '@app/core/access/client';
import { PublicRoute } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, RequestBody } from '@app/core/wire/wire.decorators';
import { BadCredentials, SecondFactorMissing } from '@app/users/credentials.errors';
import { SecondFactorInvalid, UnknownUsername } from '../auth.errors';
import type { LoggedIn, LoginInput, PasswordLogin } from '../auth.types';
import { ALREADY_ENABLED } from '../second-factor-states';
import { AuthShapes } from '../shapes/auth.shapes';
import { TwoFactorShapes } from './two-factor.shapes';
import { TwoFactorService } from './two-factor.service';

const BY_PASSWORD = 'name and password in the body stand for the credential';

/** Setting two-factor login up, for users who cannot log in before it is. */
@ApiTags('login')
@Controller()
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Post('enable2faandget2fasecret')
  @PublicRoute(BY_PASSWORD)
  @Refuses(new BadCredentials(), new UnknownUsername(), new SecondFactorInvalid(ALREADY_ENABLED))
  @RespondsWith(200, TwoFactorShapes, 'secret')
  showSecret(
    @RequestBody(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
    @TheClient() client: Client,
  ): Promise<string> {
    return this.twoFactor.showSecret(login, client);
  }

  @Post('activate2fa')
  @PublicRoute(BY_PASSWORD)
  @Refuses(new BadCredentials(), new UnknownUsername(), new SecondFactorMissing('CODE_INVALID'))
  @RespondsWith(200, AuthShapes, 'loggedIn')
  activate(
    @RequestBody(TwoFactorShapes, 'activate') input: LoginInput,
    @TheClient() client: Client,
  ): Promise<LoggedIn> {
    return this.twoFactor.activate(input, client);
  }

  @Post('cancel2faActivation')
  @PublicRoute(BY_PASSWORD)
  @Refuses(new BadCredentials(), new UnknownUsername(), new SecondFactorInvalid(ALREADY_ENABLED))
  @RespondsWith(200, TwoFactorShapes, 'cancelled')
  cancel(
    @RequestBody(TwoFactorShapes, 'passwordLogin') login: PasswordLogin,
    @TheClient() client: Client,
  ): Promise<void> {
    return this.twoFactor.cancel(login, client);
  }
}
