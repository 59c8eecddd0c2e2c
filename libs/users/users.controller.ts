import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { ClientAddress } from '@app/core/access/client';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import { UsersShapes } from './shapes/users.shapes';
import type {
  PasswordChange,
  UserAction,
  UserChanges,
  UserDetails,
  UserItem,
  UserOrder,
} from './user.values';
import { UsersService } from './users.service';

@ApiTags('users')
@Controller('organisations/:organisationId/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Access('users.list')
  @Answers(200, UsersShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(UsersShapes, 'list') request: ListRequest<UserOrder>,
  ): Promise<Page<UserItem>> {
    return this.users.list(organisationId, request);
  }

  @Get(':userId')
  @Access('users.read')
  @Answers(200, UsersShapes, 'single')
  read(@PathId('userId') id: number): Promise<UserDetails> {
    return this.users.read(id);
  }

  @Patch(':userId')
  @Access('users.patch')
  @AnswersNothing()
  patch(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') id: number,
    @Input(UsersShapes, 'change') changes: UserChanges,
  ): Promise<void> {
    return this.users.patch(caller, organisationId, id, changes);
  }

  @Delete(':userId')
  @Access('users.delete')
  @AnswersNothing()
  delete(@PathId('userId') id: number): Promise<void> {
    return this.users.delete(id);
  }

  @Post(':userId/actions')
  @Access('users.switch')
  @Answers(200, UsersShapes, 'single')
  act(@PathId('userId') id: number, @Input(UsersShapes, 'action') action: UserAction): Promise<UserDetails> {
    return this.users.switch(id, action);
  }

  @Post(':userId/changepassword')
  @Access('users.changePassword')
  @Answers(200, UsersShapes, 'single')
  changePassword(
    @TheCaller() caller: Caller,
    @ClientAddress() address: string,
    @Input(UsersShapes, 'passwordChange') change: PasswordChange,
  ): Promise<UserDetails> {
    return this.users.changePassword(caller, address, change);
  }
}
