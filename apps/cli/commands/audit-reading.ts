import type { AuditedColumns, AuditEntry } from '@app/feeds/audit/audit-entry.entity';
import type { DatabasePool } from '@app/platform/database/database-pool';
import { RowCursor } from '@app/platform/database/pg-reads/row-cursor';
import type { Statement } from '@app/platform/database/pg-reads/statement';
import { printable } from '../terminal';

/** The changes to find. An absent field does not restrict the search. */
export interface AuditSearch {
  /** Changes by the user who has this name now or had it when deleted. */
  readonly user?: string;
  readonly organisation?: number;
  readonly table?: string;
  readonly record?: number;
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
  readonly limit?: number | undefined;
}

/** A change for display and export: a readable field for every column, and the actor's user name. */
export interface AuditedChange extends Readonly<
  Omit<AuditEntry, 'tableName' | 'actingOrganisationId' | 'grantId'>
> {
  /** The user's name today. */
  readonly actorUsername: string | null;
  readonly table: string;
}

/** The fields of a change in their order, with their SQL. */
export const FIELDS: Readonly<Record<keyof AuditedChange, string>> = {
  id: 'a.id',
  at: 'a.at',
  actorUserId: 'a.actor_user_id',
  actorUsername: 'u.username',
  onBehalfOf: 'a.on_behalf_of',
  actorCredentialKind: 'a.actor_credential_kind',
  actorCredentialId: 'a.actor_credential_id',
  actorName: 'a.actor_name',
  address: 'a.address',
  requestId: 'a.request_id',
  action: 'a.action',
  table: 'a.table_name',
  recordId: 'a.record_id',
  organisationId: 'a.organisation_id',
  before: 'a.before',
  after: 'a.after',
};

/**
 * The changes that match a search, newest first, from one snapshot. Only one batch is in memory at a time.
 */
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

function queryOf(search: AuditSearch): { statement: Statement<never>; values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const narrow = (condition: (parameter: string) => string, value: unknown): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  narrow(
    (it) => `a.actor_user_id IN (SELECT id FROM users WHERE fold_case(username) = fold_case(${it}))`,
    search.user,
  );
  narrow((it) => `a.organisation_id = ${it}`, search.organisation);
  narrow((it) => `a.table_name = ${it}`, search.table);
  narrow((it) => `a.record_id = ${it}`, search.record);
  narrow((it) => `a.at >= ${it}`, search.since);
  narrow((it) => `a.at < ${it}`, search.until);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const limit = search.limit === undefined ? '' : `LIMIT $${values.push(search.limit)}`;
  return { statement: { text: `${SELECT} ${where} ORDER BY a.id DESC ${limit}` }, values };
}

const COLUMNS = Object.entries(FIELDS).map(([field, sql]) => `${sql} AS "${field}"`);
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM audit_log a LEFT JOIN users u ON u.id = a.actor_user_id`;

/** Maximum length of a value in a line. Exports have the complete value. */
const MAX_VALUE_LENGTH = 60;

/** A change as one line: time (UTC), actor, credential, IP address, columns. */
export function lineOf(change: AuditedChange): string {
  const { at, address, action, table, recordId, organisationId } = change;
  const where =
    organisationId === null || table === 'organisations' ? '' : ` of organisation ${organisationId}`;
  return printable(
    [
      at.toISOString().slice(0, 19).replace('T', ' '),
      `${actorOf(change)}${address === null ? '' : ` from ${address}`}`,
      `${action} ${table} ${recordId}${where}: ${columnsOf(change)}`,
    ].join('  '),
  );
}

function actorOf(change: AuditedChange): string {
  const { actorUserId, actorUsername, actorName, actorCredentialKind: kind, actorCredentialId } = change;
  const credential = [kind?.replaceAll('_', ' ') ?? null, actorCredentialId]
    .filter((part) => part !== null)
    .join(' ');
  const served = change.onBehalfOf === null ? '' : ` for user ${change.onBehalfOf}`;
  if (actorUserId !== null) return `${actorUsername ?? `user ${actorUserId}`}${served} (${credential})`;
  if (kind === null) return '(past the service)';
  if (kind === 'command') return `${actorName} (command ${change.requestId})`;
  return actorName === null ? `(${credential})` : `${actorName} (${credential})`;
}

function columnsOf({ action, before, after }: AuditedChange): string {
  if (action !== 'update') {
    return Object.entries(before ?? after ?? {})
      .map(([column, value]) => `${column} ${textOf(value)}`)
      .join(', ');
  }
  return Object.keys(after ?? {})
    .map((column) => `${column} ${valueOf(before, column)} -> ${valueOf(after, column)}`)
    .join(', ');
}

const valueOf = (columns: AuditedColumns | null, column: string): string => textOf(columns?.[column] ?? null);

function textOf(value: unknown): string {
  const text = value === '(changed)' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
