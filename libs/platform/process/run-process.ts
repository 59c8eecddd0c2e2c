import { apiErrorOfDatabaseError } from '../errors/sqlstate';
import { OperatorError, SettingError } from './settings';

/** SQLSTATEs of a server that refuses the log-in: wrong password or role, no such database. */
const REFUSED_BY_SERVER = /^(28...|3D...)$/;
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|ENOENT)$/;
/** Messages of a server that accepts the connection and then is silent, or ends it. */
const SILENT = /timeout expired|timeout exceeded|connection timeout|the database is silent/;
/** PgBouncer's error for start-up parameters that PostgreSQL accepts. */
const UNKNOWN_PARAMETER = /unsupported startup parameter/;

/** Why a process cannot start, in lines for the operator: one for each wrong setting. A bug gives its whole stack. */
export function explain(error: unknown): readonly string[] {
  return error instanceof SettingError ? error.faults : [sentenceOf(error)];
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  const { code = '' } = error as { code?: string };
  if (UNREACHABLE.test(code)) return `DATABASE_URL names a server that can not be reached (${code})`;
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

export interface RunningProcess {
  /** Finishes the work in progress, in bounded time. */
  stop(): Promise<void>;
}

/**
 * Starts a process and stops it on SIGTERM or SIGINT; a signal during the start waits for its end. A failed start exits with
 * code 1 and `tell`s each line of {@link explain}.
 */
export async function runProcess(
  name: string,
  start: () => Promise<RunningProcess>,
  tell: (line: string) => unknown = (line) => process.stderr.write(`${name} ends with an error: ${line}\n`),
): Promise<void> {
  const stopWanted = new Promise<void>((resolve) => {
    // Further signals change nothing: the stop is bounded in time.
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
  try {
    const running = await start();
    await stopWanted;
    await running.stop();
    process.exit(0);
  } catch (error) {
    for (const line of explain(error)) await tell(line);
    process.exit(1);
  }
}
