import type { OrderOf } from '@app/core/paging/column-table';
import type { USER_LOGIN_COLUMNS } from './user-login.columns';

/** A login as its user and its managers see it; its hash is shown to nobody after the login that made it. */
export interface UserLogin {
  readonly id: number;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds; written at most once a minute. */
  readonly lastUsedAt: number;
  readonly address: string;
  readonly country: string;
  readonly os: string;
  readonly browser: string;
  /** Whether the request that reads it carries it. */
  readonly current: boolean;
}

/** What the list can be ordered by. */
export type UserLoginOrder = OrderOf<typeof USER_LOGIN_COLUMNS>;
