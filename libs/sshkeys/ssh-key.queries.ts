import { ListQuery, type Query } from '@app/core/paging/list-query';
import type { ListRequest } from '@app/core/paging/page';
import { SSH_KEY_COLUMNS } from './ssh-key.columns';
import type { KeyOwner, SshKeyDetails, SshKeyOrder } from './ssh-key.types';

/** A key by its id ($1). */
export const SSH_KEY_BY_ID = SSH_KEY_COLUMNS.select('k.id = $1');

/** A page of the keys of a user or an organisation. */
export const sshKeyPage = (
  { organisationId, userId }: KeyOwner,
  request: ListRequest<SshKeyOrder>,
): Query<SshKeyDetails> =>
  new ListQuery(SSH_KEY_COLUMNS, request)
    .with(userId === undefined ? 'k.organisation_id' : 'k.user_id', userId ?? organisationId)
    .filteredBy('lower(k.description)', 'k.fingerprint')
    .page();
