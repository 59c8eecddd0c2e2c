import { Controller, Delete, Get, Injectable, Post, Put } from '@nestjs/common';
import { PathOwner, type RecordOwner } from '@app/people/users/path-owner.decorator';
import { NoContent, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import type { SshKeyDetails, SshKeyOrder } from './ssh-key.columns';
import type { SshKeyInput } from './ssh-key.types';
import { SshKeysService } from './sshkeys.service';

/** The routes of the keys that one kind of owner has. */
function keyRoutes(operations: 'sshkeys' | 'deployKeys', key: string, keys: string, owner: string) {
  @Injectable()
  class KeyRoutes {
    constructor(private readonly keys: SshKeysService) {}

    @Post()
    @Access(`${operations}.create`, `Add ${key} to ${owner}`)
    @RespondsWith(201, SshKeysShapes, 'single')
    create(
      @Ctx() caller: Caller,
      @PathOwner() of: RecordOwner,
      @RequestBody(SshKeysShapes, 'create') input: SshKeyInput,
    ): Promise<SshKeyDetails> {
      return this.keys.create(caller, of, input);
    }

    @Get()
    @Access(`${operations}.list`, `List the ${keys} of ${owner}`)
    @RespondsWith(200, SshKeysShapes, 'list')
    list(
      @PathOwner() of: RecordOwner,
      @ListQuery(SshKeysShapes, 'list') request: ListRequest<SshKeyOrder>,
    ): Promise<Page<SshKeyDetails>> {
      return this.keys.list(of, request);
    }

    @Get(':sshkeyId')
    @Access(`${operations}.read`, `Read ${key} of ${owner}`)
    @RespondsWith(200, SshKeysShapes, 'single')
    read(@PathId('sshkeyId') id: number): Promise<SshKeyDetails> {
      return this.keys.read(id);
    }

    @Put(':sshkeyId')
    @Access(`${operations}.update`, `Change ${key} of ${owner}`)
    @NoContent()
    update(
      @Ctx() caller: Caller,
      @PathOwner() of: RecordOwner,
      @PathId('sshkeyId') id: number,
      @RequestBody(SshKeysShapes, 'update') input: SshKeyInput,
    ): Promise<void> {
      return this.keys.update(caller, of, id, input);
    }

    @Delete(':sshkeyId')
    @Access(`${operations}.delete`, `Delete ${key} of ${owner}`)
    @NoContent()
    delete(@Ctx() caller: Caller, @PathId('sshkeyId') id: number): Promise<void> {
      return this.keys.delete(caller, id);
    }
  }
  return KeyRoutes;
}

@Controller('organisations/:organisationId/users/:userId/sshkeys')
@PathRecords({
  sshkeyId: { name: 'SSH key', table: 'ssh_keys', within: 'userId', tag: 'record.version' },
})
export class UserSshKeysController extends keyRoutes('sshkeys', 'an SSH key', 'SSH keys', 'a user') {}

/** The deploy keys of an organisation, without the keys of its users (rule keys 43). */
@Tag('sshkeys')
@Controller('organisations/:organisationId/sshkeys')
@PathRecords({
  sshkeyId: { name: 'SSH key', table: 'ssh_keys', within: 'organisationId', tag: 'record.version' },
})
export class DeployKeysController extends keyRoutes(
  'deployKeys',
  'a deploy key',
  'deploy keys',
  'an organisation',
) {}
