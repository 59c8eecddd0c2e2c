import type { AuditedChange } from './audit-reading';
import type { AuditedColumns } from '@app/core/audit/audit-entry.entity';

/** Characters of one value that a line shows; the exports have all of it. */
const MAX_VALUE_LENGTH = 60;

/** A change as one line for people: when (UTC), who and by what, from where, what. */
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
  if (actorUserId !== null) return `${actorUsername ?? `user ${actorUserId}`} (${credential})`;
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

/** Users choose names: they must neither steer the operator's terminal nor turn its text around. */
const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
