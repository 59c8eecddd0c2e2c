import type { OrderOf } from '@app/core/paging/column-table';
import type { API_KEY_COLUMNS } from './api-key.columns';

/** An API key in the list of a user's keys. */
export interface ApiKeyItem {
  readonly id: number;
  readonly name: string;
  readonly whitelist: readonly string[];
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** An API key by itself: what the list has, and what only this answer tells. */
export interface ApiKeyDetails extends ApiKeyItem {
  readonly readOnly: boolean;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds, written at most once a minute; null for a key that was never used. */
  readonly lastUsedAt: number | null;
  /** Unix seconds; null while no other key has taken its place. */
  readonly rotatedAt: number | null;
}

/** A key that was just made: the only time that its value is known. */
export interface CreatedApiKey extends Omit<ApiKeyItem, 'expiresAt'> {
  /** The key itself: what requests carry in `Authorization`. */
  readonly hash: string;
}

/** What a change sets. */
export interface ApiKeyInput {
  readonly name: string;
  /** Canonical addresses and CIDR ranges, each once; empty: any address. */
  readonly whitelist: readonly string[];
}

/** What creation sets. */
export interface NewApiKey extends ApiKeyInput {
  /** Unix seconds; undefined: when the default lifetime is over. */
  readonly expiresAt?: number;
  readonly readOnly: boolean;
}

/** How a key gives its place to another. */
export interface ApiKeyRotation {
  /** How long the old key lives on; it ends at once with 0, and never later than before. */
  readonly oldKeyHours: number;
  /** When the new key ends, in Unix seconds; undefined: after as long a life as the old one was given. */
  readonly expiresAt?: number;
}

/** What lists of API keys can be ordered by. */
export type ApiKeyOrder = OrderOf<typeof API_KEY_COLUMNS>;
