import { createHash } from 'node:crypto';
import type { Organisation } from '@app/people/organisations/organisation.entity';
import type { RecordOwner } from '@app/people/users/path-owner.decorator';
import {
  bytewise,
  columnsOf,
  jsonObject,
  ordered,
  type OrderOf,
  type RowOf,
  shown,
} from '@app/platform/lists/columns';
import { ListQuery } from '@app/platform/lists/list-query';
import type { ListRequest } from '@app/platform/lists/paginator';
import type { PublicKey } from './public-key';
import { SshKey } from './ssh-key.entity';

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

/** The organisation that owns the key or the key's user. */
type OrganisationOfKey = Readonly<Pick<Organisation, 'id' | 'name'>>;

/** The OpenSSH one-line form. PostgreSQL breaks base64 into lines of 76 characters. */
const CONTENT = `concat_ws(' ', k.type, replace(encode(k.blob, 'base64'), E'\\n', ''), nullif(k.comment, ''))`;

export const SSH_KEY_COLUMNS = columnsOf(SshKey, 'k', {
  ordered: ['id', 'description'],
  codes: ['fingerprint'],
  sql: {
    content: ordered<string>(CONTENT, bytewise(CONTENT)),
    organisation: shown<OrganisationOfKey>(jsonObject<OrganisationOfKey>({ id: 'o.id', name: 'o.name' })),
  },
  joins: `LEFT JOIN users u ON u.id = k.user_id
  JOIN organisations o ON o.id = coalesce(k.organisation_id, u.organisation_id)`,
});

/** A key as responses show it. */
export type SshKeyDetails = RowOf<typeof SSH_KEY_COLUMNS>;

export type SshKeyOrder = OrderOf<typeof SSH_KEY_COLUMNS>;

/** A key by its id ($1). */
export const SSH_KEY_BY_ID = SSH_KEY_COLUMNS.select('k.id = $1');

/** A page of the keys of a user or an organisation. */
export const sshKeyPage = ({ organisationId, userId }: RecordOwner, request: ListRequest<SshKeyOrder>) =>
  new ListQuery(SSH_KEY_COLUMNS, request)
    .with(userId === null ? 'k.organisation_id' : 'k.user_id', userId ?? organisationId)
    .filteredBy('k.description', 'k.fingerprint')
    .page();
