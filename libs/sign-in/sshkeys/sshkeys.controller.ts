import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  Ctx,
  PathId,
  PathRecords,
  Versioned,
} from '@app/security/access/access.decorators';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { NoContent, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import type { RequestContext } from '@app/platform/context/request-context';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import type { SshKeyInput } from './ssh-key.types';
import { SshKeysService } from './sshkeys.service';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { SshKeyDetails, SshKeyOrder } from './ssh-key.columns';

/** The keys of a user. */
@Controller('organisations/:organisationId/users/:userId/sshkeys')
@PathRecords({ sshkeyId: { name: 'SSH key', table: 'ssh_keys', owner: 'user_id', within: 'user' } })
@Versioned({ table: 'ssh_keys', parameter: 'sshkeyId' })
export class UserSshKeysController {
  constructor(private readonly keys: SshKeysService) {}

  @Post()
  @Access('sshkeys.create', 'Add an SSH key to a user')
  @RespondsWith(201, SshKeysShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(SshKeysShapes, 'create') input: SshKeyInput,
  ): Promise<SshKeyDetails> {
    return this.keys.create(caller, { organisationId, userId }, input);
  }

  @Get()
  @Access('sshkeys.list', 'List the SSH keys of a user')
  @RespondsWith(200, SshKeysShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ListQuery(SshKeysShapes, 'list') request: ListRequest<SshKeyOrder>,
  ): Promise<Page<SshKeyDetails>> {
    return this.keys.list({ organisationId, userId }, request);
  }

  @Get(':sshkeyId')
  @Access('sshkeys.read', 'Read an SSH key of a user')
  @RespondsWith(200, SshKeysShapes, 'single')
  read(@PathId('sshkeyId') id: number): Promise<SshKeyDetails> {
    return this.keys.read(id);
  }

  @Put(':sshkeyId')
  @Access('sshkeys.update', 'Change an SSH key of a user')
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('sshkeyId') id: number,
    @RequestBody(SshKeysShapes, 'update') input: SshKeyInput,
  ): Promise<void> {
    return this.keys.update(caller, id, input);
  }

  @Delete(':sshkeyId')
  @Access('sshkeys.delete', 'Delete an SSH key of a user')
  @NoContent()
  delete(@Ctx() ctx: RequestContext, @PathId('sshkeyId') id: number): Promise<void> {
    return this.keys.delete(ctx, id);
  }
}

/** The deploy keys of an organisation, without the keys of its users (decisions.md section 10). */
@ApiTags('sshkeys')
@Controller('organisations/:organisationId/sshkeys')
@PathRecords({
  sshkeyId: { name: 'SSH key', table: 'ssh_keys', owner: 'organisation_id', within: 'organisation' },
})
@Versioned({ table: 'ssh_keys', parameter: 'sshkeyId' })
export class DeployKeysController {
  constructor(private readonly keys: SshKeysService) {}

  @Post()
  @Access('deployKeys.create', 'Add a deploy key to an organisation')
  @RespondsWith(201, SshKeysShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(SshKeysShapes, 'create') input: SshKeyInput,
  ): Promise<SshKeyDetails> {
    return this.keys.create(caller, { organisationId }, input);
  }

  @Get()
  @Access('deployKeys.list', 'List the deploy keys of an organisation')
  @RespondsWith(200, SshKeysShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(SshKeysShapes, 'list') request: ListRequest<SshKeyOrder>,
  ): Promise<Page<SshKeyDetails>> {
    return this.keys.list({ organisationId }, request);
  }

  @Get(':sshkeyId')
  @Access('deployKeys.read', 'Read a deploy key of an organisation')
  @RespondsWith(200, SshKeysShapes, 'single')
  read(@PathId('sshkeyId') id: number): Promise<SshKeyDetails> {
    return this.keys.read(id);
  }

  @Put(':sshkeyId')
  @Access('deployKeys.update', 'Change a deploy key of an organisation')
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('sshkeyId') id: number,
    @RequestBody(SshKeysShapes, 'update') input: SshKeyInput,
  ): Promise<void> {
    return this.keys.update(caller, id, input);
  }

  @Delete(':sshkeyId')
  @Access('deployKeys.delete', 'Delete a deploy key of an organisation')
  @NoContent()
  delete(@Ctx() ctx: RequestContext, @PathId('sshkeyId') id: number): Promise<void> {
    return this.keys.delete(ctx, id);
  }
}
