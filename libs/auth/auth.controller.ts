import { Controller, Get, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller } from '@app/core/access/caller';
import { TheClient, type Client } from '@app/core/access/client';
import { Access, PublicRoute, TheCaller } from '@app/core/access/declarations';
import { Answers, AnswersNothing, Input } from '@app/core/wire/declarations';
import type { Identity, LoggedIn, LoginAttempt } from './auth.values';
import { LoginsService } from './logins.service';
import { AuthShapes } from './shapes/auth.shapes';

@ApiTags('login')
@Controller()
export class AuthController {
  constructor(private readonly logins: LoginsService) {}

  /** Without a body it answers for the credential in the header: old clients ask so who they are. */
  @Post('login')
  @PublicRoute('it hands out the credential')
  @Answers(200, AuthShapes, 'loggedIn')
  login(
    @Input(AuthShapes, 'login', { optional: true }) attempt: LoginAttempt | undefined,
    @TheClient() client: Client,
    @Req() request: Request,
  ): Promise<LoggedIn> {
    return attempt === undefined ? this.logins.current(request) : this.logins.login(attempt, client);
  }

  @Post('logout')
  @Access('session.logout')
  @AnswersNothing()
  logout(@TheCaller() caller: Caller): Promise<void> {
    return this.logins.logout(caller);
  }

  @Get('whoami')
  @Access('session.whoami')
  @Answers(200, AuthShapes, 'identity')
  whoami(@TheCaller() caller: Caller): Identity {
    return caller;
  }
}
