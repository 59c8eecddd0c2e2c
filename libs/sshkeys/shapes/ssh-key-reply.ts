import { ApiProperty } from '@nestjs/swagger';
import type { Status } from '@app/core/status/status';
import type { SshKeyDetails } from '../ssh-key.values';

class OrganisationOfKeyReply {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;
}

/** An SSH key, the same in both variants. */
export class SshKeyReply {
  @ApiProperty({ type: 'integer', example: 3 })
  id!: number;

  @ApiProperty({ example: 'Laptop of Jan' })
  description!: string;

  @ApiProperty({ description: 'OpenSSH one-line format', example: 'ssh-ed25519 AAAA… jan@laptop' })
  content!: string;

  @ApiProperty({ type: String, example: 'ok' })
  status!: Status;

  @ApiProperty({ description: 'MD5 of the key', example: '70:9f:bf:7d:c4:db:d3:a1:70:69:98:ff:30:c4:7a:6b' })
  fingerprint!: string;

  @ApiProperty({ type: OrganisationOfKeyReply })
  organisation!: OrganisationOfKeyReply;
}

/** A key has one status only: it is there. */
export const sshKeyReply = (key: SshKeyDetails): SshKeyReply => ({
  id: key.id,
  description: key.description,
  content: key.content,
  status: 'ok',
  fingerprint: key.fingerprint,
  organisation: { id: key.organisation.id, name: key.organisation.name },
});
