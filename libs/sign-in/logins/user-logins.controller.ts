import { Controller, Delete, Get } from '@nestjs/common';
import { NoContent, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { isLoginAlive } from '@app/security/access/valid-logins';
import { UserLoginsShapes } from './shapes/user-logins.shapes';
import type { UserLogin, UserLoginOrder } from './user-login.columns';
import { UserLoginsService } from './user-logins.service';

@Controller('organisations/:organisationId/users/:userId/logins')
@PathRecords({
  loginId: {
    name: 'Login',
    table: 'logins',
    within: 'userId',
    condition: isLoginAlive('record'),
  },
})
export class UserLoginsController {
  constructor(private readonly logins: UserLoginsService) {}

  @Get()
  @Access('logins.list', 'List the logins of a user')
  @RespondsWith(200, UserLoginsShapes, 'list')
  list(
    @Ctx() caller: Caller,
    @PathId('userId') userId: number,
    @ListQuery(UserLoginsShapes, 'list') request: ListRequest<UserLoginOrder>,
  ): Promise<Page<UserLogin>> {
    return this.logins.list(caller, userId, request);
  }

  @Delete(':loginId')
  @Access('logins.delete', 'End a login of a user')
  @NoContent()
  end(@Ctx() caller: Caller, @PathId('userId') userId: number, @PathId('loginId') id: number): Promise<void> {
    return this.logins.end(caller, userId, id);
  }

  @Delete()
  @Access('logins.deleteOthers', 'End all logins of a user but the presented one')
  @NoContent()
  endOthers(@Ctx() caller: Caller, @PathId('userId') userId: number): Promise<void> {
    return this.logins.endOthers(caller, userId);
  }
}
