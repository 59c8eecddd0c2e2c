import { Controller, Post } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import { Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import type { LoggedIn } from '@app/sign-in/auth/auth.types';
import { AuthShapes } from '@app/sign-in/auth/shapes/auth.shapes';
import type { PasskeyLogin, RequestOptions } from './passkey.types';
import { PasskeyLoginsService } from './passkey-logins.service';
import { PasskeysShapes } from './shapes/passkeys.shapes';

@Tag('login')
@Controller('login/passkey')
export class PasskeyLoginController {
  constructor(private readonly logins: PasskeyLoginsService) {}

  @Post('options')
  @PublicRoute(
    'for whoever is about to log in',
    'Begin to log in with a passkey: the options for `navigator.credentials.get`',
    'The challenge holds for five minutes and is used once. Nobody needs to be named: the authenticator knows its user.',
  )
  @RespondsWith(200, PasskeysShapes, 'requestOptions')
  options(@Ctx() ctx: RequestContext): Promise<RequestOptions> {
    return this.logins.options(ctx);
  }

  @Post()
  @PublicRoute(
    'it hands out the credential',
    'Log in with a passkey',
    'It counts as both factors: no code is asked for, and a demand for two-factor login is met.',
  )
  @Refuses(badCredentials())
  @RespondsWith(200, AuthShapes, 'loggedIn')
  login(
    @Ctx() ctx: RequestContext,
    @RequestBody(PasskeysShapes, 'login') input: PasskeyLogin,
  ): Promise<LoggedIn> {
    return this.logins.login(ctx, input);
  }
}
