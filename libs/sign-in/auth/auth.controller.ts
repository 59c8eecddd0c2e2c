import { Controller, Get, Post } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import {
  NoContent,
  Refuses,
  RefusesIn,
  RequestBody,
  RespondsWith,
  Tag,
} from '@app/platform/dto/wire.decorators';
import {
  Access,
  Authorization,
  Ctx,
  IgnoresIdempotencyKey,
  PublicRoute,
} from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import { type Identity, type LoggedIn, type LoginInput, unknownUsername } from './auth.types';
import { LoginsService } from './logins.service';
import { AuthShapes } from './shapes/auth.shapes';

@Tag('login')
@Controller()
export class AuthController {
  constructor(private readonly logins: LoginsService) {}

  /** Without a body, describes the credential of the header, because old clients use it like whoami. */
  @Post('login')
  @PublicRoute(
    'it hands out the credential',
    'Log in, or without a body tell the login of the presented credential',
    'Without a body, or with `{}`, and with a credential: the login information of that credential, whose value is `hash`. With a body, the body counts.',
  )
  @Refuses(badCredentials(), unknownUsername)
  @RefusesIn(AuthShapes, 'secondFactorRefusals')
  @RespondsWith(200, AuthShapes, 'loggedIn')
  login(
    @Ctx() ctx: RequestContext,
    @RequestBody(AuthShapes, 'login', { optional: true }) input: LoginInput | undefined,
    @Authorization() authorization: string | undefined,
  ): Promise<LoggedIn> {
    return input === undefined ? this.logins.current(ctx, authorization) : this.logins.login(ctx, input);
  }

  @Post('logout')
  @IgnoresIdempotencyKey()
  @Access('session.logout', 'End the presented login', 'An API key is not affected by it.')
  @NoContent()
  logout(@Ctx() caller: Caller): Promise<void> {
    return this.logins.logout(caller);
  }

  @Get('whoami')
  @Access('session.whoami', 'Tell whose credential this is')
  @RespondsWith(200, AuthShapes, 'identity')
  whoami(@Ctx() caller: Caller): Identity {
    return caller;
  }
}
