import { Controller, Delete, Get } from '@nestjs/common';
import { NoContent, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { Tokens2faShapes } from './shapes/tokens2fa.shapes';
import type { Token2fa, Token2faOrder } from './token2fa.columns';
import { Tokens2faService } from './tokens2fa.service';

@Controller('organisations/:organisationId/users/:userId/token2fa')
@PathRecords({
  token2faId: {
    name: 'Token',
    words: 'trusted device',
    table: 'trusted_devices',
    within: 'userId',
    condition: 'record.expires_at > now()',
  },
})
export class Tokens2faController {
  constructor(private readonly tokens: Tokens2faService) {}

  @Get()
  @Access('tokens2fa.list', 'List the trusted devices of a user')
  @RespondsWith(200, Tokens2faShapes, 'list')
  list(
    @PathId('userId') userId: number,
    @ListQuery(Tokens2faShapes, 'list') request: ListRequest<Token2faOrder>,
  ): Promise<Page<Token2fa>> {
    return this.tokens.list(userId, request);
  }

  @Get(':token2faId')
  @Access('tokens2fa.read', 'Read a trusted device of a user')
  @RespondsWith(200, Tokens2faShapes, 'single')
  read(@PathId('userId') userId: number, @PathId('token2faId') id: number): Promise<Token2fa> {
    return this.tokens.read(userId, id);
  }

  @Delete(':token2faId')
  @Access('tokens2fa.delete', 'End the trust in a device of a user')
  @NoContent()
  delete(
    @Ctx() caller: Caller,
    @PathId('userId') userId: number,
    @PathId('token2faId') id: number,
  ): Promise<void> {
    return this.tokens.delete(caller, userId, id);
  }
}
