import { BadRequest } from '@app/platform/errors/api-error';

/** Maximum hours for which a rotated key stays valid: 7 days. */
export const MAX_OLD_KEY_HOURS = 168;

/** Maximum entries of a whitelist, because every use of a key searches the whole list. */
export const WHITELIST_LIMIT = 100;

/** Body of `POST …/rotate`. */
export interface KeyRotation {
  /** Hours for which the old key stays valid, but never longer than before. With 0 it ends at once. */
  readonly oldKeyHours: number;
  /** End of the new key in Unix seconds; undefined for the lifetime of the old one. */
  readonly expiresAt?: number;
}

/** 400: a key can be rotated only once. Its successor can be rotated too. */
export const alreadyRotated = (): BadRequest =>
  new BadRequest('A new key has taken the place of this one already', 'API_KEY_ROTATED');
