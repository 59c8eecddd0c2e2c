import { apiErrorOfDatabaseError } from '../errors/sqlstate';

/** SQLSTATE classes of a server that is reached but lets nobody in: wrong password or role, no such database. */
const REFUSED_BY_SERVER = /^(28...|3D...)$/;
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENOENT',
]);
/** Messages of a server that takes the connection and then says nothing, or ends it. */
const SILENT = /timeout expired|timeout exceeded|connection timeout|the database is silent/;
/** What PgBouncer says to the settings that PostgreSQL takes when a connection begins. */
const UNKNOWN_PARAMETER = /unsupported startup parameter/;

/**
 * Why a process can not start, in one line that names what the operator can change; only for an error of the
 * program itself the whole stack. Errors that carry `explained` have such a line as their message.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', explained = false } = error as { code?: string; explained?: boolean };
  if (explained) return error.message;
  if (UNREACHABLE.has(code)) return `DATABASE_URL names a server that can not be reached (${code})`;
  if (SILENT.test(error.message))
    return `DATABASE_URL names a server that does not answer (${error.message})`;
  if (REFUSED_BY_SERVER.test(code)) return `DATABASE_URL is refused by its server: ${error.message}`;
  if (UNKNOWN_PARAMETER.test(error.message)) {
    return `DATABASE_URL leads to a pooler that refuses it: ${error.message}`;
  }
  if (apiErrorOfDatabaseError(error)?.status === 503) {
    return `DATABASE_URL names a server that can not be used right now: ${error.message}`;
  }
  return error.stack ?? error.message;
}
