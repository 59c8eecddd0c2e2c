import type { OrderOf } from '@app/core/paging/column-table';
import type { TOKEN2FA_COLUMNS } from './token2fa.columns';

/** A trusted device as its user sees it; its token is shown to nobody after the login that made it. */
export interface Token2fa {
  readonly id: number;
  readonly country: string;
  readonly address: string;
  readonly os: string;
  readonly browser: string;
  readonly userAgent: string;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** What the list can be ordered by. */
export type Token2faOrder = OrderOf<typeof TOKEN2FA_COLUMNS>;
