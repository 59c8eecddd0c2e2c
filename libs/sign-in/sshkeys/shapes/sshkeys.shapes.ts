import { responseShape, Shown } from '@app/platform/dto/shapes';
import type { Status } from '@app/people/organisations/status';
import { ORGANISATION } from '@app/people/organisations/shapes/shared/organisation-parts.response';
import { createSshKeyShape, SSH_KEY, updateSshKeyShape } from './ssh-key.dto';
import { orderBy } from '@app/platform/lists/columns';
import { SSH_KEY_COLUMNS, type SshKeyDetails, type SshKeyOrder } from '../ssh-key.columns';
import { listShape } from '@app/platform/lists/list-request';

class OrganisationOfKeyResponse {
  @Shown(ORGANISATION.id) id!: number;
  @Shown(ORGANISATION.name) name!: string;
}

/** An SSH key. */
export class SshKeyResponse {
  @Shown(SSH_KEY.id) id!: number;
  @Shown(SSH_KEY.description) description!: string;
  @Shown(SSH_KEY.content) content!: string;
  @Shown({ type: String, ...SSH_KEY.status }) status!: Status;
  @Shown(SSH_KEY.fingerprint) fingerprint!: string;

  @Shown({ type: OrganisationOfKeyResponse, ...SSH_KEY.organisation })
  organisation!: OrganisationOfKeyResponse;
}

/** Response of everything that gives one key. */
export class SingleSshKeyResponse {
  @Shown({ type: SshKeyResponse, description: 'The key' }) sshkey!: SshKeyResponse;
}

/** Response of the lists. */
export class SshKeyListResponse {
  @Shown({ type: [SshKeyResponse], description: 'The keys of the page' }) sshkeys!: SshKeyResponse[];
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
  /** Body of POST. */
  readonly create = createSshKeyShape;
  /** Body of PUT. */
  readonly update = updateSshKeyShape;
  /** Response of everything that gives one key. */
  readonly single = responseShape(SingleSshKeyResponse, (key: SshKeyDetails) => ({
    sshkey: toSshKeyResponse(key),
  }));
  /** Response of the lists. */
  readonly list = listShape<SshKeyDetails, SshKeyListResponse, SshKeyOrder>(
    SshKeyListResponse,
    {
      // All keys have the same status, so that its order is that of the ids.
      orderBy: orderBy(SSH_KEY_COLUMNS, SshKeyResponse, { status: 'id' }),
      search: {},
    },
    (page) => ({ sshkeys: page.items.map(toSshKeyResponse) }),
  );
}
