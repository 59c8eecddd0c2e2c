import { Controller, Post } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import { Refuses, RefusesIn, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { type LoggedIn, unknownUsername } from '@app/sign-in/auth/auth.types';
import { AuthShapes } from '@app/sign-in/auth/shapes/auth.shapes';
import { SoftLoginService } from './soft-login.service';
import { type SoftLoginInput, SoftLoginShapes } from './soft-login.shapes';

@Tag('login')
@Controller('softlogin')
export class SoftLoginController {
  constructor(private readonly softLogin: SoftLoginService) {}

  @Post()
  @PublicRoute('it hands out the credential', 'Log in with the code of a recovery mail')
  @Refuses(badCredentials(), unknownUsername)
  @RefusesIn(AuthShapes, 'secondFactorRefusals')
  @RespondsWith(200, AuthShapes, 'loggedIn')
  login(
    @Ctx() ctx: RequestContext,
    @RequestBody(SoftLoginShapes, 'login') input: SoftLoginInput,
  ): Promise<LoggedIn> {
    return this.softLogin.login(ctx, input);
  }
}
