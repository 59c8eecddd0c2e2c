import { Controller, Patch, Post } from '@nestjs/common';
import { Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { Access, ChecksProof, Ctx, PathId, Versioned } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { UsersShapes } from '../shapes/users.shapes';
import type { UserDetails } from '../user.columns';
import { PROOF_REFUSALS } from '../user.types';
import {
  adminPasswordKept,
  type MigratedUser,
  type MigratedUserChange,
  MigratedUsersService,
} from './migrated-users.service';
import { MigratedUsersShapes } from './migrated-users.shapes';

@Controller('organisations/:organisationId')
@Versioned({ table: 'users', parameter: 'userId' })
export class MigratedUsersController {
  constructor(private readonly migratedUsers: MigratedUsersService) {}

  @Post('users')
  @Access('users.createMigrated', 'Create a user who comes from the previous panel')
  @RespondsWith(201, UsersShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(MigratedUsersShapes, 'create') user: MigratedUser,
  ): Promise<UserDetails> {
    return this.migratedUsers.create(caller, organisationId, user);
  }

  @Patch('cp3/users/:userId')
  @ChecksProof()
  @Access(
    'users.updateMigrated',
    'Change a user of the previous panel',
    'Sets the password of a user with ROLE_ADMIN only while that is one of the previous panel. ' +
      'With STEP_UP it asks for the proof where the user name or the hash is another.',
  )
  @Refuses(adminPasswordKept(), ...PROOF_REFUSALS)
  @RespondsWith(200, UsersShapes, 'single')
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(MigratedUsersShapes, 'update') user: MigratedUserChange,
  ): Promise<UserDetails> {
    return this.migratedUsers.update(caller, { organisationId, userId }, user);
  }
}
