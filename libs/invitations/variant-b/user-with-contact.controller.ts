import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import { Answers, Input } from '@app/core/wire/declarations';
import { UsersShapes } from '@app/users/shapes/users.shapes';
import type { UserDetails } from '@app/users/user.values';
import { UserWithContactService } from './user-with-contact.service';
import { UserWithContactShapes, type UserToRegister } from './user-with-contact.shapes';

@ApiTags('users')
@Controller('organisations/:organisationId/userandcontact')
export class UserWithContactController {
  constructor(private readonly registrations: UserWithContactService) {}

  @Post()
  @Access('users.createMigrated')
  @Answers(201, UsersShapes, 'single')
  create(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @Input(UserWithContactShapes, 'creation') input: UserToRegister,
  ): Promise<UserDetails> {
    return this.registrations.create(caller, organisationId, input);
  }
}
