import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { TableRules } from '@app/lifecycle/table-rules';
import { AuditEntry } from './audit-entry.entity';

/** Rows that one statement deletes. Changes do not wait for it; the deletion itself adds a row to the log. */
const BATCH = 2000;

const past = (retention: number): string =>
  `SELECT end_audit_rows(make_interval(secs => ${retention}), ${BATCH}) = ${BATCH} AS more`;

/**
 * The only rule by which rows leave the audit log (docs/audit.md). The database keeps 30 days in any case.
 */
export const AUDIT_RULES: TableRules = {
  table: 'audit_log',
  // PersonExport and PersonErasure go through it themselves: nothing but its functions changes it.
  personalTexts: 'address before after',
  otherTexts: 'actor_credential_kind actor_name request_id action table_name',
  cleanUp: ({ audit }) => (audit === undefined ? [] : [past(audit)]),
};

/**
 * The audit log. Triggers write it, so that no domain can forget it. The service removes only
 * rows past their retention.
 */
@Module({ imports: [TypeOrmModule.forFeature([AuditEntry])] })
export class AuditModule {}
