import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import { RespondsWith, RequestBody } from '@app/core/wire/wire.decorators';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import type { UserDetails } from '@app/users/user.types';
import { UserWithContactService } from './user-with-contact.service';
import { UserWithContactShapes } from './user-with-contact.shapes';
import type { UserToRegister } from './user-with-contact.types';

@ApiTags('users')
@Controller('organisations/:organisationId/userandcontact')
export class UserWithContactController {
  constructor(private readonly registrations: UserWithContactService) {}

  @Post()
  @Access('users.createMigrated')
  @RespondsWith(201, UsersShapes, 'single')
  create(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(UserWithContactShapes, 'create') input: UserToRegister,
  ): Promise<UserDetails> {
    return this.registrations.create(caller, organisationId, input);
  }
}
