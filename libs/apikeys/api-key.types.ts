import type { OrderOf } from '@app/platform/lists/list-query';
import type { StepUpProof } from '@app/users/user.types';
import type { API_KEY_COLUMNS } from './api-key.columns';
import { BadRequest, type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';

/** Most API keys of a user (decisions.md section 11, "Amounts"); a trigger of the table counts them. */
export const API_KEY_LIMITS = { ofUser: 50 } as const;

/** Most hours that a rotated key stays valid: 7 days. */
export const MAX_OLD_KEY_HOURS = 168;

/** Most entries of a whitelist: every use of a key searches the whole list. */
export const WHITELIST_LIMIT = 100;

/** An API key in the list of a user's keys. */
export interface ApiKeyItem {
  readonly id: number;
  readonly name: string;
  readonly whitelist: readonly string[];
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** An API key in the single read, with further fields. */
export interface ApiKeyDetails extends ApiKeyItem {
  readonly readOnly: boolean;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds, written at most once a minute; null if never used. */
  readonly lastUsedAt: number | null;
  /** Unix seconds; null if not rotated. */
  readonly rotatedAt: number | null;
}

/** A new key. Its value is stored nowhere. */
export interface CreatedApiKey extends Omit<ApiKeyItem, 'expiresAt'> {
  /** The value for the `Authorization` header. */
  readonly hash: string;
}

/** Body of PUT. */
export interface ApiKeyInput {
  readonly name: string;
  /** Canonical IP addresses and CIDR ranges, each once; empty for any. */
  readonly whitelist: readonly string[];
}

/** Body of POST. */
export interface NewApiKey extends ApiKeyInput {
  /** Unix seconds; undefined for the default lifetime. */
  readonly expiresAt?: number;
  readonly readOnly: boolean;
}

/** With `STEP_UP`, who makes a key proves to be its user. */
export interface Proven {
  readonly proof: StepUpProof;
}

/** Body of `POST …/rotate`. */
export interface ApiKeyRotation {
  /** Hours that the old key stays valid, but never longer than before. With 0 it ends at once. */
  readonly oldKeyHours: number;
  /** End of the new key in Unix seconds; undefined for the lifetime of the old one. */
  readonly expiresAt?: number;
}

/** The orders of lists of API keys. */
export type ApiKeyOrder = OrderOf<typeof API_KEY_COLUMNS>;

/** 400: a key is rotated once. Its successor can be rotated too. */
export class AlreadyRotated extends BadRequest {
  constructor() {
    super('A new key has taken the place of this one already', 'API_KEY_ROTATED');
  }
}

export const API_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  api_keys_limit_of_user: limitReached(`A user has at most ${API_KEY_LIMITS.ofUser} API keys.`),
};
