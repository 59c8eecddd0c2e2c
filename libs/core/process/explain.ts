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

/**
 * Why a process can not start, in one line that names what the operator can change; only for an error of the
 * program itself the whole stack. Errors that carry `explained` have such a line as their message.
 */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', explained = false } = error as { code?: string; explained?: boolean };
  if (explained) return error.message;
  if (UNREACHABLE.has(code) || error.message.includes('timeout expired')) {
    return `DATABASE_URL names a server that can not be reached (${code || 'time-out'})`;
  }
  if (REFUSED_BY_SERVER.test(code)) return `DATABASE_URL is refused by its server: ${error.message}`;
  return error.stack ?? error.message;
}
