import { orderBy } from '@app/core/wire/order-by';
import { SSH_KEY_COLUMNS } from '../ssh-key.columns';
import { listShape, responseShape } from '@app/core/wire/shapes';
import type { SshKeyDetails, SshKeyOrder } from '../ssh-key.types';
import { createSshKeyShape } from './create-ssh-key.dto';
import {
  SshKeyResponse,
  SingleSshKeyResponse,
  SshKeyListResponse,
  toSshKeyResponse,
} from './ssh-key.response';
import { updateSshKeyShape } from './update-ssh-key.dto';

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
      // Every key has the same status, so that ordering by it is ordering by what breaks ties.
      orderBy: orderBy(SSH_KEY_COLUMNS, SshKeyResponse, { status: 'id' }),
      search: {},
    },
    (page) => ({ sshkeys: page.items.map(toSshKeyResponse) }),
  );
}
