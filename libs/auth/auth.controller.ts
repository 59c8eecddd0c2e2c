import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authorization } from '@app/access/authorization.decorator';
import type { Caller } from '@app/core/access/caller';
import { TheClient, type Client } from '@app/core/access/client';
import { Access, PublicRoute, CurrentCaller } from '@app/core/access/access.decorators';
import { Refuses, RefusesIn } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, NoContent, RequestBody } from '@app/core/wire/wire.decorators';
import { UnknownUsername } from './auth.errors';
import { BadCredentials } from '@app/users/credentials.errors';
import type { Identity, LoggedIn, LoginInput } from './auth.types';
import { LoginsService } from './logins.service';
import { AuthShapes } from './shapes/auth.shapes';

@ApiTags('login')
@Controller()
export class AuthController {
  constructor(private readonly logins: LoginsService) {}

  /** Without a body it answers for the credential in the header: old clients ask so who they are. */
  @Post('login')
  @PublicRoute('it hands out the credential')
  @Refuses(new BadCredentials(), new UnknownUsername())
  @RefusesIn(AuthShapes, 'secondFactorRefusals')
  @RespondsWith(200, AuthShapes, 'loggedIn')
  login(
    @RequestBody(AuthShapes, 'login', { optional: true }) input: LoginInput | undefined,
    @TheClient() client: Client,
    @Authorization() authorization: string | undefined,
  ): Promise<LoggedIn> {
    return input === undefined
      ? this.logins.current(authorization, client)
      : this.logins.login(input, client);
  }

  @Post('logout')
  @Access('session.logout')
  @NoContent()
  logout(@CurrentCaller() caller: Caller): Promise<void> {
    return this.logins.logout(caller);
  }

  @Get('whoami')
  @Access('session.whoami')
  @RespondsWith(200, AuthShapes, 'identity')
  whoami(@CurrentCaller() caller: Caller): Identity {
    return caller;
  }
}
