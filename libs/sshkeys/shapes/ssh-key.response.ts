import { ApiProperty } from '@nestjs/swagger';
import type { Status } from '@app/core/status/status';
import type { SshKeyDetails } from '../ssh-key.types';
import { ORGANISATION } from '@app/organisations/shapes/shared/organisation.properties';
import { SSH_KEY } from './ssh-key.properties';

class OrganisationOfKeyResponse {
  @ApiProperty(ORGANISATION.id)
  id!: number;

  @ApiProperty(ORGANISATION.name)
  name!: string;
}

/** An SSH key. */
export class SshKeyResponse {
  @ApiProperty(SSH_KEY.id)
  id!: number;

  @ApiProperty(SSH_KEY.description)
  description!: string;

  @ApiProperty(SSH_KEY.content)
  content!: string;

  @ApiProperty({ type: String, ...SSH_KEY.status })
  status!: Status;

  @ApiProperty(SSH_KEY.fingerprint)
  fingerprint!: string;

  @ApiProperty({ type: OrganisationOfKeyResponse, ...SSH_KEY.organisation })
  organisation!: OrganisationOfKeyResponse;
}

/** Response of everything that gives one key. */
export class SingleSshKeyResponse {
  @ApiProperty({ type: SshKeyResponse, description: 'The key' })
  sshkey!: SshKeyResponse;
}

/** Response of the lists. */
export class SshKeyListResponse {
  @ApiProperty({ type: [SshKeyResponse], description: 'The keys of the page' })
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
