import type { OrderOf } from '@app/core/paging/column-table';
import type { ACL_COLUMNS } from './acl.columns';

/** What lists of grants can be ordered by. */
export type GrantOrder = OrderOf<typeof ACL_COLUMNS>;

/** A grant with the organisation that it is given to. */
export interface Grant {
  readonly id: number;
  readonly organisationId: number;
  readonly grantee: { readonly id: number; readonly name: string };
}

/** What a grant is made from. */
export interface NewGrant {
  readonly granteeId: number;
}
