import { Controller, Get, type StreamableFile } from '@nestjs/common';
import { withAsciiDomain } from '@app/formats/email-domains';
import { QueryParameter, RespondsWithText, Tag } from '@app/platform/dto/wire.decorators';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import { AuthorizedKeysService } from './authorized-keys.service';

@Tag('entities')
@Controller('entities/systems/:entityId/authorizedkeys')
export class AuthorizedKeysController {
  constructor(private readonly keys: AuthorizedKeysService) {}

  @Get()
  @PathRecords({
    entityId: {
      name: 'Entity',
      table: 'entities',
      key: 'object_id',
      condition: `record.kind = 'system'`,
      organisation: 'organisation_id',
    },
  })
  @Access(
    'systems.authorizedKeys',
    'List the SSH keys that may log in to a system, for sshd',
    'A line for each SSH key of each enabled user in a team with `autoAddSshkey` that holds the system; the comment of a line is `user:<id>`.',
  )
  @RespondsWithText()
  read(
    @Ctx() caller: Caller,
    @PathId('entityId') systemId: number,
    @QueryParameter({
      name: 'user',
      description: 'Only the keys of the user with this name; empty: of nobody',
      maxLength: 254,
      example: 'jan@example.com',
      keepsEmpty: true,
      read: withAsciiDomain,
      check: () => undefined,
    })
    username: string | undefined,
  ): Promise<StreamableFile> {
    return this.keys.of(caller, systemId, username);
  }
}
