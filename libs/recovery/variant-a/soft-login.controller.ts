import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UnknownUsername } from '@app/auth/auth.errors';
import { BadCredentials } from '@app/users/credentials.errors';
import { AuthShapes } from '@app/auth/shapes/auth.shapes';
import type { LoggedIn } from '@app/auth/auth.types';
import { TheClient, type Client } from '@app/core/access/client';
import { PublicRoute } from '@app/core/access/access.decorators';
import { Refuses, RefusesIn } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, RequestBody } from '@app/core/wire/wire.decorators';
import { SoftLoginService } from './soft-login.service';
import { SoftLoginShapes } from './soft-login.shapes';
import type { SoftLoginInput } from './soft-login.types';

@ApiTags('login')
@Controller('softlogin')
export class SoftLoginController {
  constructor(private readonly softLogin: SoftLoginService) {}

  @Post()
  @PublicRoute('it hands out the credential')
  @Refuses(new BadCredentials(), new UnknownUsername())
  @RefusesIn(AuthShapes, 'secondFactorRefusals')
  @RespondsWith(200, AuthShapes, 'loggedIn')
  login(
    @RequestBody(SoftLoginShapes, 'login') input: SoftLoginInput,
    @TheClient() client: Client,
  ): Promise<LoggedIn> {
    return this.softLogin.login(input, client);
  }
}
