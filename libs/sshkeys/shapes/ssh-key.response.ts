import { ApiProperty } from '@nestjs/swagger';
import type { Status } from '@app/core/status/status';
import type { SshKeyDetails } from '../ssh-key.types';

class OrganisationOfKeyResponse {
  @ApiProperty({ type: 'integer', example: 12 })
  id!: number;

  @ApiProperty({ example: 'Bakkerij de Vries' })
  name!: string;
}

/** An SSH key. */
export class SshKeyResponse {
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

  @ApiProperty({ type: OrganisationOfKeyResponse })
  organisation!: OrganisationOfKeyResponse;
}

/** Response of everything that gives one key. */
export class SingleSshKeyResponse {
  @ApiProperty({ type: SshKeyResponse })
  sshkey!: SshKeyResponse;
}

/** Response of the lists. */
export class SshKeyListResponse {
  @ApiProperty({ type: [SshKeyResponse] })
  sshkeys!: SshKeyResponse[];
}

/** A key has one status only: it is there. */
export const toSshKeyResponse = (key: SshKeyDetails): SshKeyResponse => ({
  id: key.id,
  description: key.description,
  content: key.content,
  status: 'ok',
  fingerprint: key.fingerprint,
  organisation: { id: key.organisation.id, name: key.organisation.name },
});
