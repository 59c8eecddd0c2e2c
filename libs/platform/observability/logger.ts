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
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorWithoutParameters },
      ...(settings.tracing && { mixin: traceFields }),
    },
    destination ?? standardOutput(),
  );
}

/** Bytes that the logger gathers for one write, and milliseconds after which it writes anyway. */
const GATHERED = 32_768;
const MAX_DELAY = 500;
/** Longest write of several processes to one pipe that stays in one piece (POSIX: PIPE_BUF). */
const WRITTEN_WHOLE = 4096;

/** Standard output in larger pieces: a system call per line would cost more than the line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    ...(isClusterWorker()
      ? { minLength: WRITTEN_WHOLE / 2, maxWrite: WRITTEN_WHOLE }
      : { minLength: GATHERED, maxWrite: 2 * GATHERED }),
  });
  setInterval(() => output.flush(), MAX_DELAY).unref();
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
