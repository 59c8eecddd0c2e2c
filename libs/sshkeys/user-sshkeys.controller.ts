import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, PathRecords, CurrentCaller } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import type { SshKeyDetails, SshKeyInput, SshKeyOrder } from './ssh-key.types';
import { SshKeysService } from './sshkeys.service';

/** The keys of a user. */
@ApiTags('sshkeys')
@Controller('organisations/:organisationId/users/:userId/sshkeys')
@PathRecords({ sshkeyId: { name: 'SSH key', table: 'ssh_keys', owner: 'user_id', within: 'user' } })
export class UserSshKeysController {
  constructor(private readonly keys: SshKeysService) {}

  @Post()
  @Access('sshkeys.create')
  @RespondsWith(201, SshKeysShapes, 'single')
  create(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(SshKeysShapes, 'create') input: SshKeyInput,
  ): Promise<SshKeyDetails> {
    return this.keys.create(caller, { organisationId, userId }, input);
  }

  @Get()
  @Access('sshkeys.list')
  @RespondsWith(200, SshKeysShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ListQuery(SshKeysShapes, 'list') request: ListRequest<SshKeyOrder>,
  ): Promise<Page<SshKeyDetails>> {
    return this.keys.list({ organisationId, userId }, request);
  }

  @Get(':sshkeyId')
  @Access('sshkeys.read')
  @RespondsWith(200, SshKeysShapes, 'single')
  read(@PathId('sshkeyId') id: number): Promise<SshKeyDetails> {
    return this.keys.read(id);
  }

  @Put(':sshkeyId')
  @Access('sshkeys.update')
  @NoContent()
  update(
    @CurrentCaller() caller: Caller,
    @PathId('sshkeyId') id: number,
    @RequestBody(SshKeysShapes, 'update') input: SshKeyInput,
  ): Promise<void> {
    return this.keys.update(caller, id, input);
  }

  @Delete(':sshkeyId')
  @Access('sshkeys.delete')
  @NoContent()
  delete(@PathId('sshkeyId') id: number): Promise<void> {
    return this.keys.delete(id);
  }
}
