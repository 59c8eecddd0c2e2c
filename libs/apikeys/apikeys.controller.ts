import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, PathRecords, CurrentCaller } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Refuses } from '@app/core/openapi/refuses.decorator';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import type {
  ApiKeyDetails,
  ApiKeyInput,
  ApiKeyItem,
  ApiKeyOrder,
  ApiKeyRotation,
  CreatedApiKey,
  NewApiKey,
} from './api-key.types';
import { AlreadyRotated } from './apikeys.errors';
import { ApiKeysService } from './apikeys.service';
import { ApiKeysShapes } from './shapes/apikeys.shapes';

@ApiTags('apikeys')
@Controller('organisations/:organisationId/users/:userId/apikeys')
@PathRecords({ apiKeyId: { name: 'API key', table: 'api_keys', owner: 'user_id', within: 'user' } })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Access('apikeys.create')
  @RespondsWith(200, ApiKeysShapes, 'created')
  create(
    @CurrentCaller() caller: Caller,
    @RequestBody(ApiKeysShapes, 'create') input: NewApiKey,
  ): Promise<CreatedApiKey> {
    return this.keys.create(caller, input);
  }

  @Get()
  @Access('apikeys.list')
  @RespondsWith(200, ApiKeysShapes, 'list')
  list(
    @PathId('userId') userId: number,
    @ListQuery(ApiKeysShapes, 'list') request: ListRequest<ApiKeyOrder>,
  ): Promise<Page<ApiKeyItem>> {
    return this.keys.list(userId, request);
  }

  @Get(':apiKeyId')
  @Access('apikeys.read')
  @RespondsWith(200, ApiKeysShapes, 'single')
  read(@PathId('userId') userId: number, @PathId('apiKeyId') id: number): Promise<ApiKeyDetails> {
    return this.keys.read(userId, id);
  }

  @Post(':apiKeyId/rotate')
  @Access('apikeys.rotate')
  @Refuses(new AlreadyRotated())
  @RespondsWith(200, ApiKeysShapes, 'created')
  rotate(
    @CurrentCaller() caller: Caller,
    @PathId('apiKeyId') id: number,
    @RequestBody(ApiKeysShapes, 'rotate') rotation: ApiKeyRotation,
  ): Promise<CreatedApiKey> {
    return this.keys.rotate(caller, id, rotation);
  }

  @Put(':apiKeyId')
  @Access('apikeys.update')
  @NoContent()
  update(
    @PathId('apiKeyId') id: number,
    @RequestBody(ApiKeysShapes, 'update') input: ApiKeyInput,
  ): Promise<void> {
    return this.keys.update(id, input);
  }

  @Delete(':apiKeyId')
  @Access('apikeys.delete')
  @NoContent()
  delete(@PathId('apiKeyId') id: number): Promise<void> {
    return this.keys.delete(id);
  }
}
