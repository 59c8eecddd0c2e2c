import { Controller, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import { ClientAddress } from '@app/core/access/client';
import { RespondsWith, RequestBody } from '@app/core/wire/wire.decorators';
import { UsersShapes } from '../shapes/users.shapes';
import type { UserDetails } from '../user.types';
import type { MigratedUser, MigratedUserChange } from './migrated-user.types';
import { MigratedUsersService } from './migrated-users.service';
import { MigratedUsersShapes } from './migrated-users.shapes';

@ApiTags('users')
@Controller('organisations/:organisationId')
export class MigratedUsersController {
  constructor(private readonly migratedUsers: MigratedUsersService) {}

  @Post('users')
  @Access('users.createMigrated')
  @RespondsWith(201, UsersShapes, 'single')
  create(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(MigratedUsersShapes, 'create') user: MigratedUser,
  ): Promise<UserDetails> {
    return this.migratedUsers.create(caller, organisationId, user);
  }

  @Patch('cp3/users/:userId')
  @Access('users.updateMigrated')
  @RespondsWith(200, UsersShapes, 'single')
  update(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ClientAddress() address: string,
    @RequestBody(MigratedUsersShapes, 'update') user: MigratedUserChange,
  ): Promise<UserDetails> {
    return this.migratedUsers.update(caller, address, { organisationId, userId }, user);
  }
}
