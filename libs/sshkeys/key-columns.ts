import { createHash } from 'node:crypto';
import type { PublicKey } from './public-key';
import type { SshKey } from './ssh-key.entity';

type KeyColumns = Pick<SshKey, 'type' | 'blob' | 'bits' | 'comment' | 'fingerprint' | 'keyDigest'>;

/** What is stored of a key. */
export const keyColumns = ({ type, blob, bits, comment, fingerprint }: PublicKey): KeyColumns => ({
  type,
  blob,
  bits,
  comment,
  fingerprint,
  keyDigest: createHash('sha256').update(`${type} `).update(blob).digest(),
});
