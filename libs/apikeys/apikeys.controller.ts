import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, PathRecords, TheCaller } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import type { ApiKeyInput, ApiKeyItem, ApiKeyOrder, CreatedApiKey } from './api-key.values';
import { ApiKeysService } from './apikeys.service';
import { ApiKeysShapes } from './shapes/apikeys.shapes';

@ApiTags('apikeys')
@Controller('organisations/:organisationId/users/:userId/apikeys')
@PathRecords({ apiKeyId: { table: 'api_keys', owner: 'user_id', within: 'user' } })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Access('apikeys.create')
  @Answers(200, ApiKeysShapes, 'created')
  create(
    @TheCaller() caller: Caller,
    @Input(ApiKeysShapes, 'creation') input: ApiKeyInput,
  ): Promise<CreatedApiKey> {
    return this.keys.create(caller, input);
  }

  @Get()
  @Access('apikeys.list')
  @Answers(200, ApiKeysShapes, 'list')
  list(
    @PathId('userId') userId: number,
    @ListQuery(ApiKeysShapes, 'list') request: ListRequest<ApiKeyOrder>,
  ): Promise<Page<ApiKeyItem>> {
    return this.keys.list(userId, request);
  }

  @Put(':apiKeyId')
  @Access('apikeys.update')
  @AnswersNothing()
  change(@PathId('apiKeyId') id: number, @Input(ApiKeysShapes, 'change') input: ApiKeyInput): Promise<void> {
    return this.keys.change(id, input);
  }

  @Delete(':apiKeyId')
  @Access('apikeys.delete')
  @AnswersNothing()
  delete(@PathId('apiKeyId') id: number): Promise<void> {
    return this.keys.delete(id);
  }
}
