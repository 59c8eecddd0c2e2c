import { columnsOf, jsonObject } from '@app/core/paging/column-table';
import type { SshKeyDetails } from './ssh-key.types';

/** A key with the organisation that owns it, or whose user does. */
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
