import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { PROOF_REFUSALS } from '@app/people/users/user.types';
import { NoContent, Refuses, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { alreadyRotated, type KeyRotation } from '@app/sign-in/keys/key.types';
import {
  type ApiKeyDetails,
  type ApiKeyItem,
  type ApiKeyOrder,
  type CreatedApiKey,
  isNotRetired,
} from './api-key.columns';
import type { ApiKeyInput, NewApiKey } from './api-key.types';
import { ApiKeysService } from './apikeys.service';
import { ApiKeysShapes } from './shapes/apikeys.shapes';

@Controller('organisations/:organisationId/users/:userId/apikeys')
@PathRecords({
  apiKeyId: {
    name: 'API key',
    table: 'api_keys',
    within: 'userId',
    condition: isNotRetired('record'),
    tag: 'record.version',
  },
})
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Access('apikeys.create', 'Create an API key; its hash is shown this once')
  @Refuses(...PROOF_REFUSALS)
  @RespondsWith(200, ApiKeysShapes, 'created')
  create(
    @Ctx() caller: Caller,
    @RequestBody(ApiKeysShapes, 'create') input: NewApiKey & Proven,
  ): Promise<CreatedApiKey> {
    return this.keys.create(caller, input);
  }

  @Get()
  @Access('apikeys.list', 'List the API keys of a user')
  @RespondsWith(200, ApiKeysShapes, 'list')
  list(
    @PathId('userId') userId: number,
    @ListQuery(ApiKeysShapes, 'list') request: ListRequest<ApiKeyOrder>,
  ): Promise<Page<ApiKeyItem>> {
    return this.keys.list(userId, request);
  }

  @Get(':apiKeyId')
  @Access('apikeys.read', 'Read an API key')
  @RespondsWith(200, ApiKeysShapes, 'single')
  read(@PathId('userId') userId: number, @PathId('apiKeyId') id: number): Promise<ApiKeyDetails> {
    return this.keys.read(userId, id);
  }

  @Post(':apiKeyId/rotate')
  @Access('apikeys.rotate', 'Make a new API key like another, which ends soon; the hash is shown this once')
  @Refuses(alreadyRotated(), ...PROOF_REFUSALS)
  @RespondsWith(200, ApiKeysShapes, 'created')
  rotate(
    @Ctx() caller: Caller,
    @PathId('apiKeyId') id: number,
    @RequestBody(ApiKeysShapes, 'rotate') rotation: KeyRotation & Proven,
  ): Promise<CreatedApiKey> {
    return this.keys.rotate(caller, id, rotation);
  }

  @Put(':apiKeyId')
  @Access(
    'apikeys.update',
    'Change name and whitelist of an API key',
    'With STEP_UP it asks for the proof where the key may be used from more addresses than before.',
  )
  @Refuses(...PROOF_REFUSALS)
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('apiKeyId') id: number,
    @RequestBody(ApiKeysShapes, 'update') input: ApiKeyInput & Proven,
  ): Promise<void> {
    return this.keys.update(caller, id, input);
  }

  @Delete(':apiKeyId')
  @Access('apikeys.delete', 'Delete an API key')
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('apiKeyId') id: number): Promise<void> {
    return this.keys.delete(caller, id);
  }
}
