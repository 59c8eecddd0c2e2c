import { OperatorError, SettingError } from '@app/config/operator-errors';
import { isDriverMessage } from '../errors/driver-messages';
import { apiErrorOfDatabaseError } from '../errors/sqlstate';

/** SQLSTATEs of a server that refuses the log-in: wrong password or role, no such database. */
const REFUSED_BY_SERVER = /^(28...|3D...)$/;
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|ENOENT)$/;
/** Codes of Node for a certificate that it does not trust, and of OpenSSL. */
const TLS_REFUSED = /CERT|^ERR_SSL_|^UNABLE_TO_VERIFY_/;
/** SQLSTATEs of the classes `NoConnection` and `SilentDatabase`. */
const SILENT = /^0800[16]$/;
/** SQLSTATE insufficient_privilege. */
const PERMISSION_DENIED = '42501';
/** The function of PostgreSQL that RAISE calls: triggers of the service refuse with the same SQLSTATE. */
const RAISED = 'exec_stmt_raise';

/** A signal has ended the start. */
class StartStopped extends OperatorError {
  constructor(signal: string) {
    super(`${signal} ended the start`);
  }
}

/** Nobody sees what a start says, such as the password of the first admin. */
class UnreadStart extends OperatorError {
  constructor() {
    super('what the start says is not read: standard output or standard error is closed');
  }
}

/**
 * Why a process cannot start, in lines for the operator: one for each wrong setting.
 * For a bug, the whole stack.
 */
export function explain(error: unknown): readonly string[] {
  return error instanceof SettingError ? error.faults : [sentenceOf(error)];
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const { routine, hint } = error as { routine?: string; hint?: string };
  if (`${syscall} ${code}` === 'open ENOENT') return `DATABASE_URL names a missing file (${error.message})`;
  if (UNREACHABLE.test(code)) return `DATABASE_URL names a server that cannot be reached (${code})`;
  if (TLS_REFUSED.test(code) || isDriverMessage(error.message, 'withoutTls'))
    return `DATABASE_URL asks for TLS, which fails: ${error.message} (docs/database.md)`;
  if (isDriverMessage(error.message, 'passwordless'))
    return 'DATABASE_URL has no password, but its server asks for one';
  if (code === PERMISSION_DENIED && routine === RAISED)
    return `a trigger of the database refuses this, whatever the role may do: ${error.message}${hint === undefined ? '' : `. ${hint}`}`;
  if (code === PERMISSION_DENIED)
    return (
      `DATABASE_URL names a role that may not create or change what is needed (${error.message}): ` +
      'run "cli migrate" as the owner of the database first, run a command as the owner, or name a ' +
      'role that may, as deploy/postgres-role.sh makes one'
    );
  if (SILENT.test(code) || isDriverMessage(error.message, 'noConnectionInTime', 'noAnswerInTime'))
    return `DATABASE_URL names a server that does not answer (${error.message})`;
  if (REFUSED_BY_SERVER.test(code)) return `DATABASE_URL is refused by its server: ${error.message}`;
  if (isDriverMessage(error.message, 'unknownParameter'))
    return `DATABASE_URL leads to a pooler that refuses it: ${error.message}`;
  if (apiErrorOfDatabaseError(error)?.status === 503)
    return `DATABASE_URL names a server that cannot be used right now: ${error.message}`;
  return error.stack ?? error.message;
}

interface RunningProcess {
  /** Completes the work in progress, within limited time. `signal` is the signal that requested it. */
  stop(signal?: string): Promise<void>;
}

/**
 * Starts a process and stops it on SIGTERM or SIGINT. A signal during the start aborts what `start` can
 * abort, and otherwise waits for its end. A failed start exits with code 1 and passes each line of
 * {@link explain} to `tell`. So does a start whose output nobody reads; afterwards only the logger writes,
 * which needs no reader.
 */
export async function runProcess(
  name: string,
  start: (stopWanted: AbortSignal) => Promise<RunningProcess>,
  tell: (line: string) => unknown = (line) => process.stderr.write(`${name} ends with an error: ${line}\n`),
): Promise<void> {
  const controller = new AbortController();
  const unread = new Promise<never>((_resolve, reject) => {
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => {
        const reason = new UnreadStart();
        controller.abort(reason);
        reject(reason);
      });
    }
  });
  unread.catch(() => undefined);
  const stopWanted = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // Further signals change nothing, because the stop takes limited time.
      process.on(signal, () => {
        controller.abort(new StartStopped(signal));
        resolve(signal);
      });
    }
  });
  try {
    const running = await start(controller.signal);
    await Promise.race([stopWanted, unread]).then(
      (signal) => running.stop(signal),
      async (reason: unknown) => {
        await running.stop();
        throw reason;
      },
    );
    process.exit(0);
  } catch (error) {
    if (error instanceof StartStopped) process.exit(0);
    for (const line of explain(error)) await tell(line);
    process.exit(1);
  }
}
