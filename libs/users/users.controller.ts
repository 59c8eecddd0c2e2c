import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { ClientAddress } from '@app/core/access/client';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import { BadCredentials, SecondFactorMissing } from './credentials.errors';
import { PasswordChangesService } from './password-changes.service';
import { UsersShapes } from './shapes/users.shapes';
import type { PasswordChange, UserAction, UserChanges, UserDetails, UserItem, UserOrder } from './user.types';
import { ApiKeyRenames, LastAdminStays } from './users.errors';
import { UsersService } from './users.service';

@ApiTags('users')
@Controller('organisations/:organisationId/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordChangesService,
  ) {}

  @Get()
  @Access('users.list')
  @RespondsWith(200, UsersShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(UsersShapes, 'list') request: ListRequest<UserOrder>,
  ): Promise<Page<UserItem>> {
    return this.users.list(organisationId, request);
  }

  @Get(':userId')
  @Access('users.read')
  @RespondsWith(200, UsersShapes, 'single')
  read(@PathId('userId') id: number): Promise<UserDetails> {
    return this.users.read(id);
  }

  @Patch(':userId')
  @Access('users.update')
  @Refuses(new ApiKeyRenames(), new BadCredentials(), new SecondFactorMissing('CODE_INVALID'))
  @NoContent()
  update(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ClientAddress() address: string,
    @RequestBody(UsersShapes, 'update') changes: UserChanges,
  ): Promise<void> {
    return this.users.update(caller, address, { organisationId, userId }, changes);
  }

  @Delete(':userId')
  @Access('users.delete')
  @Refuses(new LastAdminStays())
  @NoContent()
  delete(@PathId('userId') id: number): Promise<void> {
    return this.users.delete(id);
  }

  @Post(':userId/actions')
  @Access('users.setEnabled')
  @RespondsWith(200, UsersShapes, 'single')
  setEnabled(
    @PathId('userId') id: number,
    @RequestBody(UsersShapes, 'action') action: UserAction,
  ): Promise<UserDetails> {
    return this.users.setEnabled(id, action);
  }

  @Post(':userId/changepassword')
  @Access('users.changePassword')
  @RespondsWith(200, UsersShapes, 'single')
  changePassword(
    @CurrentCaller() caller: Caller,
    @ClientAddress() address: string,
    @RequestBody(UsersShapes, 'changePassword') change: PasswordChange,
  ): Promise<UserDetails> {
    return this.passwords.change(caller, address, change);
  }
}
