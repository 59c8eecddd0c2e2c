import { ORGANISATION } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import type { Status } from '@app/people/organisations/status';
import { ResponseField, singleOf } from '@app/platform/dto/shapes';
import { listOf } from '@app/platform/lists/list-request';
import { SSH_KEY_COLUMNS, type SshKeyDetails } from '../ssh-key.columns';
import { createSshKeyShape, SSH_KEY, updateSshKeyShape } from './ssh-key.dto';

class OrganisationOfKeyResponse {
  @ResponseField(ORGANISATION.id) id!: number;
  @ResponseField(ORGANISATION.name) name!: string;
}

/** An SSH key. */
export class SshKeyResponse {
  @ResponseField(SSH_KEY.id) id!: number;
  @ResponseField(SSH_KEY.description) description!: string;
  @ResponseField(SSH_KEY.content) content!: string;
  @ResponseField({ type: 'string', ...SSH_KEY.status }) status!: Status;
  @ResponseField(SSH_KEY.fingerprint) fingerprint!: string;

  @ResponseField({ type: OrganisationOfKeyResponse, ...SSH_KEY.organisation })
  organisation!: OrganisationOfKeyResponse;
}

/** Every key has the status `ok`. */
const toSshKeyResponse = (key: SshKeyDetails): SshKeyResponse => ({
  id: key.id,
  description: key.description,
  content: key.content,
  status: 'ok',
  fingerprint: key.fingerprint,
  organisation: { id: key.organisation.id, name: key.organisation.name },
});

/** The request and response shapes of SSH keys and deploy keys, the same in both variants. */
export class SshKeysShapes {
  readonly create = createSshKeyShape;
  readonly update = updateSshKeyShape;
  /** Response with one key. */
  readonly single = singleOf('sshkey', SshKeyResponse, toSshKeyResponse, { description: 'The key' });
  readonly list = listOf('sshkeys', SSH_KEY_COLUMNS, SshKeyResponse, toSshKeyResponse, {
    // All keys have the same status, so the order by status is the order by id.
    orders: { status: 'id' },
    description: 'The keys of the page',
  });
}
