import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { isGroupMember } from '../process-group/group-member';
import type { Settings } from '../settings/settings';
import { currentSpan, traceOfLine } from '../tracing/current-span';

/** Injection token of the process-wide pino logger. */
export const APP_LOGGER = Symbol('APP_LOGGER');

/**
 * One JSON line an event, on standard output unless a test gives a destination. Nothing that can carry a
 * secret is ever passed to it: neither bodies, nor the `Authorization` header, nor paths with tokens in them.
 */
export function createLogger(
  settings: Pick<Settings, 'logLevel' | 'variant' | 'otlpEndpoint'>,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level: settings.logLevel,
      base: { variant: settings.variant },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorWithoutParameters },
      ...(settings.otlpEndpoint !== undefined && { mixin: () => ({ ...traceOfLine(currentSpan()) }) }),
    },
    destination ?? standardOutput(),
  );
}

/** Bytes that are gathered before they are written, and milliseconds after which they are in any case. */
const GATHERED = 8192;
const MAX_DELAY = 500;
/** The most that several processes can write to one pipe without cutting into each other's lines (POSIX: PIPE_BUF). */
const WRITTEN_WHOLE = 4096;

/** Standard output, written in larger pieces: a system call for each line would cost more than the line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    ...(isGroupMember()
      ? { minLength: WRITTEN_WHOLE / 2, maxWrite: WRITTEN_WHOLE }
      : { minLength: GATHERED }),
  });
  setInterval(() => output.flush(), MAX_DELAY).unref();
  // What is gathered when the process ends is written then.
  process.on('exit', () => output.flushSync());
  return output;
}

/** Milliseconds that the reader of standard output gets for the last lines. */
const MAX_FLUSH = 2000;

/**
 * Writes what is gathered; to be awaited before the process ends. That the reader of the output is gone shows only in a
 * write that is awaited: the one at the process's exit would be tried for ever.
 */
export async function flushLog(logger: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await Promise.race([written, pause(MAX_FLUSH, undefined, { ref: false })]);
}

/** Errors of queries carry their parameters, which can be secrets: only what explains the error is kept. */
function errorWithoutParameters(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table } = (('driverError' in error ? error.driverError : error) ?? {}) as Record<
    string,
    unknown
  >;
  return { type: error.name, message: error.message, stack: error.stack, code, constraint, table };
}

/** Lets Nest's own messages go through the same logger; its start-up chatter is of use to debuggers only. */
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
