import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { isClusterWorker } from '../process/cluster-worker';
import type { Settings } from '../process/settings';
import { traceFields } from './tracing';

/** Injection token of the process-wide pino logger. */
export const APP_LOGGER = Symbol('APP_LOGGER');

/**
 * Writes one JSON line per event to standard output, or to a test's destination. It never gets anything that can hold a
 * secret: bodies, the `Authorization` header, paths with tokens.
 */
export function createLogger(
  settings: Pick<Settings, 'logLevel' | 'variant' | 'tracing'>,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level: settings.logLevel,
      base: { variant: settings.variant },
      timestamp: timeOfLine,
      serializers: { err: errorWithoutParameters },
      ...(settings.tracing && { mixin: traceFields }),
    },
    destination ?? standardOutput(),
  );
}

let lastTime = { at: 0, text: '' };

/** As pino's own `isoTime`, which makes a new text for each of the many lines of a millisecond. */
function timeOfLine(): string {
  const at = Date.now();
  if (at !== lastTime.at) lastTime = { at, text: `,"time":"${new Date(at).toISOString()}"` };
  return lastTime.text;
}

/** Bytes that the logger gathers for one write, and milliseconds after which it writes anyway. */
const GATHERED = 32_768;
const MAX_DELAY = 500;
/** Longest write of several processes to one pipe that stays in one piece (POSIX: PIPE_BUF). */
const WRITTEN_WHOLE = 4096;

/**
 * Standard output in larger pieces: a system call per line would cost more than the line. pino's own `minLength` copies all that
 * it has gathered at every line, 20 kB of garbage a request.
 */
class StandardOutput implements DestinationStream {
  private lines: string[] = [];
  private bytes = 0;

  private readonly output: ReturnType<typeof pino.destination>;

  constructor(private readonly pieceBytes: number) {
    // Without a `minLength` its flush does not wait for the write.
    this.output = pino.destination({ dest: 1, sync: false, minLength: 1, maxWrite: pieceBytes });
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > this.pieceBytes) this.passOn();
    this.lines.push(line);
    this.bytes += bytes;
  }

  /** pino calls it for `Logger.flush`. */
  flush(done: () => void): void {
    this.passOn();
    this.output.flush(done);
  }

  flushSync(): void {
    this.passOn();
    this.output.flushSync();
  }

  passOn(): void {
    if (this.bytes === 0) return;
    const piece = this.lines.join('');
    this.lines = [];
    this.bytes = 0;
    this.output.write(piece);
  }
}

function standardOutput(): DestinationStream {
  const output = new StandardOutput(isClusterWorker() ? WRITTEN_WHOLE : GATHERED);
  setInterval(() => output.passOn(), MAX_DELAY).unref();
  process.on('exit', () => output.flushSync());
  return output;
}

/** Milliseconds for the reader of standard output to take the last lines. */
const MAX_FLUSH = 2000;

/**
 * Writes the gathered lines; await it before the process ends. Only an awaited write notices that the reader is gone: the one
 * at exit would retry without end.
 */
export async function flushLog(logger: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await Promise.race([written, pause(MAX_FLUSH, undefined, { ref: false })]);
}

/** Leaves out the parameters of failed queries, which can be secrets. */
function errorWithoutParameters(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = (('driverError' in error ? error.driverError : error) ?? {}) as Record<
    string,
    unknown
  >;
  return { type: error.name, message: error.message, stack: error.stack, code, constraint, table };
}

/** Sends Nest's messages to the same logger, those about the start at debug level. */
export function nestLogger(logger: Logger): LoggerService {
  const context = (rest: unknown[]) => ({ context: rest.at(-1) });
  return {
    log: (message: unknown, ...rest: unknown[]) => logger.debug(context(rest), String(message)),
    error: (message: unknown, ...rest: unknown[]) => logger.error({ context: rest }, String(message)),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(context(rest), String(message)),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(context(rest), String(message)),
    verbose: (message: unknown, ...rest: unknown[]) => logger.trace(context(rest), String(message)),
  };
}
