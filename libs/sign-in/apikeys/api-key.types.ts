import { type ConstraintErrors, limitReached } from '@app/platform/errors/api-error';

/** Most API keys of a user (decisions.md section 11, "Amounts"); a trigger of the table counts them. */
export const API_KEY_LIMITS = { ofUser: 50 } as const;

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

export const API_KEY_CONSTRAINT_ERRORS: ConstraintErrors = {
  api_keys_limit_of_user: limitReached(`A user has at most ${API_KEY_LIMITS.ofUser} API keys.`),
};
