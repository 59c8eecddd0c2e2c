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

/** A key that was just made: the only time that its value is known. */
export interface CreatedApiKey extends Omit<ApiKeyItem, 'expiresAt'> {
  /** The key itself: what requests carry in `Authorization`. */
  readonly hash: string;
}

/** What creation and change set. */
export interface ApiKeyInput {
  readonly name: string;
  /** Canonical addresses and CIDR ranges, each once; empty: any address. */
  readonly whitelist: readonly string[];
}

/** What lists of API keys can be ordered by. */
export type ApiKeyOrder = OrderOf<typeof API_KEY_COLUMNS>;
