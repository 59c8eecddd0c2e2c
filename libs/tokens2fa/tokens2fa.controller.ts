import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, ListQuery } from '@app/core/wire/wire.decorators';
import { Tokens2faShapes } from './shapes/tokens2fa.shapes';
import type { Token2fa, Token2faOrder } from './token2fa.types';
import { Tokens2faService } from './tokens2fa.service';

@ApiTags('tokens2fa')
@Controller('organisations/:organisationId/users/:userId/token2fa')
@PathRecords({
  token2faId: {
    name: 'Token',
    table: 'trusted_devices',
    owner: 'user_id',
    within: 'user',
    condition: 'record.expires_at > now()',
  },
})
export class Tokens2faController {
  constructor(private readonly tokens: Tokens2faService) {}

  @Get()
  @Access('tokens2fa.list')
  @RespondsWith(200, Tokens2faShapes, 'list')
  list(
    @PathId('userId') userId: number,
    @ListQuery(Tokens2faShapes, 'list') request: ListRequest<Token2faOrder>,
  ): Promise<Page<Token2fa>> {
    return this.tokens.list(userId, request);
  }

  @Get(':token2faId')
  @Access('tokens2fa.read')
  @RespondsWith(200, Tokens2faShapes, 'single')
  read(@PathId('userId') userId: number, @PathId('token2faId') id: number): Promise<Token2fa> {
    return this.tokens.read(userId, id);
  }

  @Delete(':token2faId')
  @Access('tokens2fa.delete')
  @NoContent()
  delete(@PathId('userId') userId: number, @PathId('token2faId') id: number): Promise<void> {
    return this.tokens.delete(userId, id);
  }
}
