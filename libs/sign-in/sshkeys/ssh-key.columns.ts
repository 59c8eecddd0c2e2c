import { createHash } from 'node:crypto';
import type { PublicKey } from './public-key';
import type { SshKey } from './ssh-key.entity';
import { columnsOf, jsonObject, ListQuery, type OrderOf } from '@app/platform/lists/list-query';
import type { KeyOwner, SshKeyDetails } from './ssh-key.types';
import type { ListRequest, PageQuery } from '@app/platform/lists/paginator';

type KeyColumns = Pick<SshKey, 'type' | 'blob' | 'bits' | 'comment' | 'fingerprint' | 'keyDigest'>;

/** The stored columns of a key. */
export const keyColumns = ({ type, blob, bits, comment, fingerprint }: PublicKey): KeyColumns => ({
  type,
  blob,
  bits,
  comment,
  fingerprint,
  keyDigest: createHash('sha256').update(`${type} `).update(blob).digest(),
});

/** A key with its organisation, or that of its user. */
export const SSH_KEY_COLUMNS = columnsOf<SshKeyDetails>(
  'ssh_keys k',
  `LEFT JOIN users u ON u.id = k.user_id
  JOIN organisations o ON o.id = coalesce(k.organisation_id, u.organisation_id)`,
)({
  id: { read: 'k.id', order: true },
  description: { read: 'k.description', order: true },
  // The OpenSSH one-line form; PostgreSQL breaks base64 into lines of 76.
  content: {
    read: `concat_ws(' ', k.type, replace(encode(k.blob, 'base64'), E'\\n', ''), nullif(k.comment, ''))`,
    order: true,
  },
  fingerprint: { read: 'k.fingerprint', order: true },
  organisation: {
    read: jsonObject<SshKeyDetails['organisation']>({ id: 'o.id', name: 'o.name' }),
    order: false,
  },
});

/** A key by its id ($1). */
export const SSH_KEY_BY_ID = SSH_KEY_COLUMNS.select('k.id = $1');

/** A page of the keys of a user or an organisation. */
export const sshKeyPage = (
  { organisationId, userId }: KeyOwner,
  request: ListRequest<SshKeyOrder>,
): PageQuery<SshKeyDetails> =>
  new ListQuery(SSH_KEY_COLUMNS, request)
    .with(userId === undefined ? 'k.organisation_id' : 'k.user_id', userId ?? organisationId)
    .filteredBy('lower(k.description)', 'k.fingerprint')
    .page();

/** The orders of lists of keys. */
export type SshKeyOrder = OrderOf<typeof SSH_KEY_COLUMNS>;
