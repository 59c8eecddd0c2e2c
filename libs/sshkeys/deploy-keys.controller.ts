import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, PathRecords, TheCaller } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import { SshKeysShapes } from './shapes/sshkeys.shapes';
import type { SshKeyDetails, SshKeyInput, SshKeyOrder } from './ssh-key.values';
import { SshKeysService } from './sshkeys.service';

/** The deploy keys of an organisation: its own, not those of its users (decisions.md section 10). */
@ApiTags('sshkeys')
@Controller('organisations/:organisationId/sshkeys')
@PathRecords({ sshkeyId: { table: 'ssh_keys', owner: 'organisation_id', within: 'organisation' } })
export class DeployKeysController {
  constructor(private readonly keys: SshKeysService) {}

  @Post()
  @Access('deployKeys.create')
  @Answers(201, SshKeysShapes, 'single')
  create(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @Input(SshKeysShapes, 'creation') input: SshKeyInput,
  ): Promise<SshKeyDetails> {
    return this.keys.create(caller, { organisationId }, input);
  }

  @Get()
  @Access('deployKeys.list')
  @Answers(200, SshKeysShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(SshKeysShapes, 'list') request: ListRequest<SshKeyOrder>,
  ): Promise<Page<SshKeyDetails>> {
    return this.keys.list({ organisationId }, request);
  }

  @Get(':sshkeyId')
  @Access('deployKeys.read')
  @Answers(200, SshKeysShapes, 'single')
  read(@PathId('sshkeyId') id: number): Promise<SshKeyDetails> {
    return this.keys.read(id);
  }

  @Put(':sshkeyId')
  @Access('deployKeys.update')
  @AnswersNothing()
  change(@PathId('sshkeyId') id: number, @Input(SshKeysShapes, 'change') input: SshKeyInput): Promise<void> {
    return this.keys.change(id, input);
  }

  @Delete(':sshkeyId')
  @Access('deployKeys.delete')
  @AnswersNothing()
  delete(@PathId('sshkeyId') id: number): Promise<void> {
    return this.keys.delete(id);
  }
}
