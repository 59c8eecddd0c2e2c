import { Controller, Post, UseGuards } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import { Refuses, RefusesIn, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { CountsCallsItself, Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import type { LoggedIn } from '@app/sign-in/auth/auth.types';
import { AuthShapes } from '@app/sign-in/auth/shapes/auth.shapes';
import { LinkLoginsService } from './link-logins.service';
import type { LinkLoginInput } from './login-link.types';
import { LoginLinkTokenGuard } from './login-link-token.guard';
import { LoginLinksShapes } from './shapes/login-links.shapes';

@Tag('login')
@Controller('login/link')
export class LinkLoginController {
  constructor(private readonly logins: LinkLoginsService) {}

  @Post()
  @CountsCallsItself()
  @UseGuards(LoginLinkTokenGuard)
  @PublicRoute(
    'it hands out the credential',
    'Log in with the token of a login link',
    'The token stands for the password and works once. A refusal for the second factor leaves it ' +
      'usable for five minutes from the first one; the fifth ends it.',
  )
  @Refuses(badCredentials())
  @RefusesIn(AuthShapes, 'secondFactorRefusals')
  @RespondsWith(200, AuthShapes, 'loggedIn')
  login(
    @Ctx() ctx: RequestContext,
    @RequestBody(LoginLinksShapes, 'login') input: LinkLoginInput,
  ): Promise<LoggedIn> {
    return this.logins.login(ctx, input);
  }
}
