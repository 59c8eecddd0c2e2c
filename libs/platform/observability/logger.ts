import { setTimeout as pause } from 'node:timers/promises';
import { format } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import type { Settings } from '@app/config/settings';
import { isOutage } from '../errors/sqlstate';
import { traceFields } from './tracing';

/** Injection token of the process-wide pino logger. */
export const APP_LOGGER = Symbol('APP_LOGGER');

/**
 * Writes one JSON line per event to standard output, or to a test's destination. It never gets anything that
 * can hold a secret: bodies, the `Authorization` header, paths with tokens.
 */
export function createLogger(
  settings: Pick<Settings, 'logLevel' | 'variant' | 'tracing'>,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level: settings.logLevel,
      hooks: { logMethod: whileAway },
      base: { variant: settings.variant },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorWithoutParameters },
      ...(settings.tracing && { mixin: traceFields }),
    },
    destination ?? standardOutput(),
  );
}

/** Loggers of processes whose database is away. */
const quiet = new WeakSet<Logger>();

/**
 * While the database is away, failures caused by it are logged at debug level: one
 * line has reported the outage.
 */
export function quietenOutage(logger: Logger, isAway: boolean): void {
  if (isAway) quiet.add(logger);
  else quiet.delete(logger);
}

/** The level for a library's warning that has no cause. */
export const levelOf = (logger: Logger): 'warn' | 'debug' => (quiet.has(logger) ? 'debug' : 'warn');

function whileAway(this: Logger, args: Parameters<LogFn>, write: LogFn, level: number): void {
  const [about] = args as [unknown];
  if (level >= 40 && quiet.has(this) && isOutage((about as { err?: unknown } | undefined)?.err)) {
    this.debug(...args);
    return;
  }
  write.apply(this, args);
}

/** Sends plain text from libraries and Node to the logger, so that each line is JSON. */
export function catchPlainText(logger: Logger): void {
  const as =
    (level: () => 'info' | 'warn' | 'debug') =>
    (...parts: unknown[]): void =>
      logger[level()]({ source: 'console' }, format(...parts));
  const info = as(() => 'info');
  const warn = as(() => levelOf(logger));
  Object.assign(console, { log: info, info, debug: info, warn, error: warn, trace: warn });
  process.removeAllListeners('warning').on('warning', (warning) => {
    logger.warn({ err: warning }, `Node: ${warning.message}`);
  });
  // Unhandled rejections end here too.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'the process ends: an error that nothing handles');
    void flushLog(logger).then(() => process.exit(1));
  });
}

/** Bytes that the logger collects for one write, and milliseconds after which it writes in any case. */
const GATHERED = 16_384;
const MAX_DELAY = 500;

/** Standard output in larger pieces: a system call per line would cost more than the line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: GATHERED,
    maxWrite: 2 * GATHERED,
    periodicFlush: MAX_DELAY,
  });
  process.on('exit', () => {
    // Without a reader it would try for ever.
    if ((process.stdout.errored ?? null) === null) output.flushSync();
  });
  return output;
}

/** Milliseconds for the reader of standard output to accept the last lines. */
const MAX_FLUSH = 2000;

/**
 * Writes the collected lines; await it before the process ends. Only an awaited write notices that the reader
 * has ended. The write at exit would retry forever.
 */
export async function flushLog(logger: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await Promise.race([written, pause(MAX_FLUSH, undefined, { ref: false })]);
}

/** Leaves out the parameters of failed queries, because they can be secrets. */
function errorWithoutParameters(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = (('driverError' in error ? error.driverError : error) ?? {}) as Record<
    string,
    unknown
  >;
  return { type: error.name, message: error.message, stack: error.stack, code, constraint, table };
}

/** Sends Nest's messages to the logger; messages about the start get debug level. */
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
