import { listShape } from '@app/core/wire/shapes';
import { AUDIT_KINDS } from '../audit-kinds';
import type { AuditedAct, AuditedActOrder, AuditedActSearch } from '../audited-act.types';
import { AuditListResponse, toAuditedActResponse } from './audited-act.response';

/** Not that of the clock, which ordinary databases do not have. */
const KINDS = Object.values(AUDIT_KINDS)
  .filter(({ kind }) => kind !== 'testClock')
  .map(({ kind }) => kind)
  .join(', ');

/** The shapes of the audit log, which both variants have alike. */
export class AuditShapes {
  /** Response of the list. */
  readonly list = listShape<AuditedAct, AuditListResponse, AuditedActOrder, AuditedActSearch>(
    AuditListResponse,
    {
      orderBy: { id: 'id', dtStamp: 'at' },
      search: { user: 'user', kind: 'kind', from: 'from', to: 'to' },
      exact: {
        user: 'Only what the user with this identifier did; one whom the reader may not see did nothing',
        kind: `Only what was done to records of this kind: ${KINDS}`,
        from: 'Only from this moment on, in Unix seconds',
        to: 'Only before this moment, in Unix seconds',
      },
    },
    (page) => ({ audit: page.items.map(toAuditedActResponse) }),
  );
}
