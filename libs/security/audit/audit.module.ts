import { Injectable, Module } from '@nestjs/common';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { Settings } from '@app/platform/process/settings';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity';

/** Rows that are deleted at once: changes do not wait for it, but the deletion is itself a row of the log. */
const BATCH = 2000;

/** The one exception by which rows leave the audit log (docs/audit.md): the database keeps 30 days in any case. */
@Injectable()
export class AuditCleanUp extends CleanUp {
  readonly statements: readonly string[];

  constructor({ retention }: Settings) {
    super();
    this.statements =
      retention.audit === undefined
        ? []
        : [`SELECT end_audit_rows(make_interval(secs => ${retention.audit}), ${BATCH}) = ${BATCH} AS more`];
  }
}

/** The audit log. Triggers write it, so that no domain can forget to; the service takes nothing out but what is past its retention. */
@Module({ imports: [TypeOrmModule.forFeature([AuditEntry])], providers: [AuditCleanUp] })
export class AuditModule {}
