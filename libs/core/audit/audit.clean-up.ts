import { Injectable } from '@nestjs/common';
import { CleanUp } from '../jobs/clean-up';
import { Settings } from '../settings/settings';

/** Rows that are deleted at once: changes do not wait for it, but the deletion is itself a row of the log. */
const BATCH = 2000;

/** The one exception by which rows leave the audit log (docs/audit.md): the database keeps 30 days in any case. */
@Injectable()
export class AuditCleanUp extends CleanUp {
  readonly position = 90;
  readonly statements: readonly string[];

  constructor({ auditRetention }: Settings) {
    super();
    this.statements =
      auditRetention === undefined
        ? []
        : [`SELECT end_audit_rows(make_interval(secs => ${auditRetention}), ${BATCH}) = ${BATCH} AS more`];
  }
}
