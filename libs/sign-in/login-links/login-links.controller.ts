import { Controller, Post } from '@nestjs/common';
import { Refuses, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { TooManyRequests } from '@app/platform/errors/api-error';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { type CreatedLoginLink, linkedUserKeptOut, type NewLoginLink } from './login-link.types';
import { LoginLinksService } from './login-links.service';
import { LoginLinksShapes } from './shapes/login-links.shapes';

@Tag('login')
@Controller('organisations/:organisationId/users/:userId/loginlinks')
export class LoginLinksController {
  constructor(private readonly links: LoginLinksService) {}

  @Post()
  @Access(
    'loginlinks.create',
    'Make a link that logs a user in, once; its token is shown this once',
    'Billing lets its customer into the panel. The link stands for the password alone: where ' +
      'two-factor login is on, the panel asks for the code. Never for a user who manages all ' +
      'organisations: with ROLE_ADMIN, or with ROLE_CUSTADMIN of the operator organisation. Staff ' +
      'have support logins.',
  )
  @Refuses(linkedUserKeptOut(), new TooManyRequests(60))
  @RespondsWith(201, LoginLinksShapes, 'created')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(LoginLinksShapes, 'create') input: NewLoginLink,
  ): Promise<CreatedLoginLink> {
    return this.links.create(caller, { organisationId, userId }, input);
  }
}
