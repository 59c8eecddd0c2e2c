import { digestOf } from '../secrets/digest';

/** Longer than any credential of the service, so a longer value is not hashed. */
const MAX_CREDENTIAL_LENGTH = 256;

/**
 * The credential of an `Authorization` header: the raw value, or what follows `Bearer `; undefined if empty.
 */
export function presentedCredential(header: string | undefined): string | undefined {
  const value = header?.trim().replace(/^Bearer(\s+|$)/i, '');
  return value === undefined || value === '' ? undefined : value;
}

/** Digest by which the tables store the credential; null if the text cannot be a credential. */
export const credentialDigest = (credential: unknown): Buffer | null =>
  typeof credential === 'string' && credential.length <= MAX_CREDENTIAL_LENGTH ? digestOf(credential) : null;
