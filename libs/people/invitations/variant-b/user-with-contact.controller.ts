import { Controller, Post } from '@nestjs/common';
import { UsersShapes } from '@app/people/users/shapes/users.shapes';
import type { UserDetails } from '@app/people/users/user.columns';
import { RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { type UserToRegister, UserWithContactService } from './user-with-contact.service';
import { UserWithContactShapes } from './user-with-contact.shapes';

@Controller('organisations/:organisationId/userandcontact')
export class UserWithContactController {
  constructor(private readonly registrations: UserWithContactService) {}

  @Post()
  @Access('users.createMigrated', 'Create a user with an e-mail contact')
  @RespondsWith(201, UsersShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(UserWithContactShapes, 'create') input: UserToRegister,
  ): Promise<UserDetails> {
    return this.registrations.create(caller, organisationId, input);
  }
}
