import type { DatabasePool } from '@app/core/database/database-pool';
import { RowCursor } from '@app/core/database/row-cursor';
import { prepared, type PreparedStatement } from '@app/core/database/prepared-queries';
import type { AuditedColumns } from '@app/core/audit/audit-entry.entity';

/** Which changes are looked for; what is left out does not narrow. */
export interface AuditSearch {
  /** Made by a user of this name; whoever has it now or had it when deleted. */
  readonly username?: string;
  readonly organisationId?: number;
  readonly table?: string;
  readonly recordId?: number;
  readonly since?: Date;
  /** Not included. */
  readonly until?: Date;
  readonly limit?: number;
}

/** A change as it is shown and exported: a field of a readable name for every column, and the actor's user name. */
export interface AuditedChange {
  readonly id: number;
  readonly at: Date;
  readonly actorUserId: number | null;
  /** The name that the user has by now. */
  readonly actorUsername: string | null;
  readonly actorCredentialKind: string | null;
  readonly actorCredentialId: number | null;
  readonly actorName: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly action: 'insert' | 'update' | 'delete' | 'refuse';
  readonly table: string;
  readonly recordId: number;
  readonly organisationId: number | null;
  readonly before: AuditedColumns | null;
  readonly after: AuditedColumns | null;
}

/** Changes of a search, newest first, in one snapshot; however many there are, a batch is in memory. */
export async function* auditedChanges(
  pool: DatabasePool,
  search: AuditSearch,
): AsyncGenerator<AuditedChange> {
  const { statement, values } = queryOf(search);
  const cursor = await RowCursor.open<AuditedChange>(pool, statement, values);
  try {
    while (!cursor.isAtEnd) yield* await cursor.next();
  } finally {
    await cursor.close();
  }
}

function queryOf(search: AuditSearch): { statement: PreparedStatement; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const narrow = (condition: (parameter: string) => string, value: unknown): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  narrow(
    (it) => `a.actor_user_id IN (SELECT id FROM users WHERE lower(username) = lower(${it}))`,
    search.username,
  );
  narrow((it) => `a.organisation_id = ${it}`, search.organisationId);
  narrow((it) => `a.table_name = ${it}`, search.table);
  narrow((it) => `a.record_id = ${it}`, search.recordId);
  narrow((it) => `a.at >= ${it}`, search.since);
  narrow((it) => `a.at < ${it}`, search.until);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const limit = search.limit === undefined ? '' : `LIMIT $${values.push(search.limit)}`;
  return { statement: prepared(`${SELECT} ${where} ORDER BY a.id DESC ${limit}`), values };
}

const SELECT = `
  SELECT a.id, a.at, a.actor_user_id AS "actorUserId", u.username AS "actorUsername",
    a.actor_credential_kind AS "actorCredentialKind", a.actor_credential_id AS "actorCredentialId",
    a.actor_name AS "actorName", a.address, a.request_id AS "requestId", a.action, a.table_name AS "table",
    a.record_id AS "recordId", a.organisation_id AS "organisationId", a.before, a.after
  FROM audit_log a LEFT JOIN users u ON u.id = a.actor_user_id`;
