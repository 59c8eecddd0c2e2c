import { Controller, Param, Post, UseGuards } from '@nestjs/common';
import { badCredentials } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, Tag } from '@app/platform/dto/wire.decorators';
import { Ctx, PublicRoute } from '@app/security/access/access.decorators';
import type { RequestContext } from '@app/security/context/request-context';
import { UsernameLinkTokenGuard } from './username-link-token.guard';
import { UsernameLinksService } from './username-links.service';
import { UsernameLinkShapes } from './username-links.shapes';
import { unknownUsernameLink, usernameLinkEnded, type UsernameLinkInput } from './username-links.types';

@Tag('login')
@Controller('usernames')
export class UsernameLinksController {
  constructor(private readonly links: UsernameLinksService) {}

  @Post(':token')
  @PublicRoute(
    'the token of the mail is the credential, together with the password',
    'Verify a user name with the token of the mail to it',
    'Makes no login. Until then other services know the user by the former name.',
  )
  @UseGuards(UsernameLinkTokenGuard)
  @Refuses(unknownUsernameLink(), usernameLinkEnded(), badCredentials())
  @NoContent()
  verify(
    @Ctx() ctx: RequestContext,
    @Param('token') token: string,
    @RequestBody(UsernameLinkShapes, 'verify') proof: UsernameLinkInput,
  ): Promise<void> {
    return this.links.verify(ctx, token, proof);
  }
}
