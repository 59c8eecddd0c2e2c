import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuthShapes } from '@app/auth/shapes/auth.shapes';
import type { LoggedIn } from '@app/auth/auth.values';
import { TheClient, type Client } from '@app/core/access/client';
import { PublicRoute } from '@app/core/access/declarations';
import { Answers, Input } from '@app/core/wire/declarations';
import { SoftLoginService } from './soft-login.service';
import { SoftLoginShapes } from './soft-login.shapes';
import type { SoftLoginAttempt } from './soft-login.values';

@ApiTags('login')
@Controller('softlogin')
export class SoftLoginController {
  constructor(private readonly softLogin: SoftLoginService) {}

  @Post()
  @PublicRoute('it hands out the credential')
  @Answers(200, AuthShapes, 'loggedIn')
  login(
    @Input(SoftLoginShapes, 'attempt') attempt: SoftLoginAttempt,
    @TheClient() client: Client,
  ): Promise<LoggedIn> {
    return this.softLogin.login(attempt, client);
  }
}
