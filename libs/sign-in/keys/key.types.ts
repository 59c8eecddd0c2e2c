import { BadRequest } from '@app/platform/errors/api-error';
import type { StepUpProof } from '@app/people/users/user.types';

/** Most hours that a rotated key stays valid: 7 days. */
export const MAX_OLD_KEY_HOURS = 168;

/** Most entries of a whitelist: every use of a key searches the whole list. */
export const WHITELIST_LIMIT = 100;

/** With `STEP_UP`, the proof of the user who makes a key. */
export interface Proven {
  readonly proof: StepUpProof;
}

/** Body of `POST …/rotate`. */
export interface KeyRotation {
  /** Hours that the old key stays valid, but never longer than before. With 0 it ends at once. */
  readonly oldKeyHours: number;
  /** End of the new key in Unix seconds; undefined for the lifetime of the old one. */
  readonly expiresAt?: number;
}

/** 400: a key is rotated once. Its successor can be rotated too. */
export class AlreadyRotated extends BadRequest {
  constructor() {
    super('A new key has taken the place of this one already', 'API_KEY_ROTATED');
  }
}
