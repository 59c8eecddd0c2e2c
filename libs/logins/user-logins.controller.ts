import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isLoginAlive } from '@app/access/access.queries';
import { Access, CurrentCaller, PathId, PathRecords } from '@app/core/access/access.decorators';
import type { Caller } from '@app/core/access/caller';
import type { ListRequest, Page } from '@app/core/paging/page';
import { ListQuery, NoContent, RespondsWith } from '@app/core/wire/wire.decorators';
import { UserLoginsShapes } from './shapes/user-logins.shapes';
import type { UserLogin, UserLoginOrder } from './user-login.types';
import { UserLoginsService } from './user-logins.service';

@ApiTags('logins')
@Controller('organisations/:organisationId/users/:userId/logins')
@PathRecords({
  loginId: {
    name: 'Login',
    table: 'logins',
    owner: 'user_id',
    within: 'user',
    condition: isLoginAlive('record'),
  },
})
export class UserLoginsController {
  constructor(private readonly logins: UserLoginsService) {}

  @Get()
  @Access('logins.list')
  @RespondsWith(200, UserLoginsShapes, 'list')
  list(
    @CurrentCaller() caller: Caller,
    @PathId('userId') userId: number,
    @ListQuery(UserLoginsShapes, 'list') request: ListRequest<UserLoginOrder>,
  ): Promise<Page<UserLogin>> {
    return this.logins.list(caller, userId, request);
  }

  @Delete(':loginId')
  @Access('logins.delete')
  @NoContent()
  end(@PathId('userId') userId: number, @PathId('loginId') id: number): Promise<void> {
    return this.logins.end(userId, id);
  }

  @Delete()
  @Access('logins.deleteOthers')
  @NoContent()
  endOthers(@CurrentCaller() caller: Caller, @PathId('userId') userId: number): Promise<void> {
    return this.logins.endOthers(caller, userId);
  }
}
