import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, ChecksProof, Ctx, PathId, Versioned } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { PasswordChangesService } from './password-changes.service';
import { UsersShapes } from './shapes/users.shapes';
import type { UserDetails, UserItem, UserOrder } from './user.columns';
import {
  apiKeyRenames,
  badCredentials,
  lastAdminNotRemovable,
  type PasswordChange,
  secondFactorMissing,
  type UserAction,
  type UserChanges,
} from './user.types';
import { UsersService } from './users.service';

@Controller('organisations/:organisationId/users')
@Versioned({ table: 'users', parameter: 'userId' })
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordChangesService,
  ) {}

  @Get()
  @Access('users.list', 'List the users of an organisation')
  @RespondsWith(200, UsersShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(UsersShapes, 'list') request: ListRequest<UserOrder>,
  ): Promise<Page<UserItem>> {
    return this.users.list(organisationId, request);
  }

  @Get(':userId')
  @Access('users.read', 'Read a user')
  @RespondsWith(200, UsersShapes, 'single')
  read(@PathId('userId') id: number): Promise<UserDetails> {
    return this.users.read(id);
  }

  @Patch(':userId')
  @ChecksProof()
  @Access(
    'users.update',
    'Change a user: what is absent stays',
    'Changes what is present and keeps what is absent. Who may not manage the organisation ' +
      'changes only itself: its names, language and user name. A CUSTADMIN who addresses a user ' +
      'with ROLE_ADMIN gets 403; who is no admin and sends the own `defaultRoles` gets 500 with ' +
      '`ROLE_REQUIRED`. With STEP_UP it asks for the proof where another user name is set, or a ' +
      'role that manages others is given.',
  )
  @Refuses(apiKeyRenames(), badCredentials(), secondFactorMissing('CODE_INVALID'))
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(UsersShapes, 'update') changes: UserChanges,
  ): Promise<void> {
    return this.users.update(caller, { organisationId, userId }, changes);
  }

  @Delete(':userId')
  @Access(
    'users.delete',
    'Delete a user',
    'The user name is free again. The last enabled admin cannot be deleted.',
  )
  @Refuses(lastAdminNotRemovable())
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('userId') id: number): Promise<void> {
    return this.users.delete(caller, id);
  }

  @Post(':userId/actions')
  @Access(
    'users.setEnabled',
    'Enable or disable a user',
    'Disabling ends the logins of the user for good; enabling again revives its API keys.',
  )
  @RespondsWith(200, UsersShapes, 'single')
  setEnabled(
    @Ctx() caller: Caller,
    @PathId('userId') id: number,
    @RequestBody(UsersShapes, 'action') action: UserAction,
  ): Promise<UserDetails> {
    return this.users.setEnabled(caller, id, action);
  }

  @Post(':userId/changepassword')
  @ChecksProof()
  @Access(
    'users.changePassword',
    'Change the own password',
    'Ends the other logins of the user, not its API keys.',
  )
  @RespondsWith(200, UsersShapes, 'single')
  changePassword(
    @Ctx() caller: Caller,
    @RequestBody(UsersShapes, 'changePassword') change: PasswordChange,
  ): Promise<UserDetails> {
    return this.passwords.change(caller, change);
  }
}
