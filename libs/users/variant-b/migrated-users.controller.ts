import { Controller, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import { Answers, Input } from '@app/core/wire/declarations';
import { UsersShapes } from '../shapes/users.shapes';
import type { UserDetails } from '../user.values';
import type { MigratedUser } from './migrated-user.values';
import { MigratedUsersService } from './migrated-users.service';
import { MigratedUsersShapes } from './migrated-users.shapes';

@ApiTags('users')
@Controller('organisations/:organisationId')
export class MigratedUsersController {
  constructor(private readonly migratedUsers: MigratedUsersService) {}

  @Post('users')
  @Access('users.createMigrated')
  @Answers(201, UsersShapes, 'single')
  create(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @Input(MigratedUsersShapes, 'creation') user: MigratedUser,
  ): Promise<UserDetails> {
    return this.migratedUsers.create(caller, organisationId, user);
  }

  @Patch('cp3/users/:userId')
  @Access('users.patchMigrated')
  @Answers(200, UsersShapes, 'single')
  patch(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') id: number,
    @Input(MigratedUsersShapes, 'change') user: MigratedUser,
  ): Promise<UserDetails> {
    return this.migratedUsers.patch(caller, organisationId, id, user);
  }
}
