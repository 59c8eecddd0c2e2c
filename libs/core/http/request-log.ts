import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../access/client-addresses';
import type { Metrics } from '../metrics/metrics';
import { traceOfLine } from '../tracing/current-span';
import { spanOf } from './request-span';

declare module 'express-serve-static-core' {
  interface Request {
    /** Id of the request, in the log, the `X-Request-Id` header and every error body. */
    id: string;
  }
}

/** Refused credentials, denials, missing roles and lock-outs. */
const TRACED: ReadonlySet<number> = new Set([401, 403, 429, 500]);

/** Whom a refusal was about, as far as it is known. */
export interface RefusalSubject {
  readonly userId?: number;
  /** By what kind of credential it is known. */
  readonly credentialKind?: string;
  /** Keyed digest of a user name that nobody has: tells guesses on one name apart from those on others. */
  readonly nameDigest?: string;
}

const SUBJECT = 'subject';

/** Lets the log line of a request say whom its refusal was about. */
export function traceSubject(response: Pick<Response, 'locals'>, subject: RefusalSubject): void {
  response.locals[SUBJECT] = { ...(response.locals[SUBJECT] as RefusalSubject | undefined), ...subject };
}

/** An unknown name is a 404 as described, and a guess all the same. */
const isTraced = (status: number, { nameDigest }: RefusalSubject): boolean =>
  TRACED.has(status) || (status === 404 && nameDigest !== undefined);

/** What is known of it by now. */
export const subjectOf = (response: Pick<Response, 'locals'>): RefusalSubject =>
  (response.locals[SUBJECT] ?? {}) as RefusalSubject;

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Gives every request its id, and when it ends one log line and its metrics. The line names the route, not the
 * path: a path can carry a token. Headers and bodies stay out altogether. Written by hand because pino-http,
 * with its child logger and serialisers for each request, took a quarter of the time of a whole read.
 */
export function requestLog(logger: Logger, metrics: Metrics, addresses: ClientAddresses): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = process.hrtime.bigint();
    addresses.keep(request);
    // An id that a proxy in front gave is kept, so that both logs tell the same story. Nobody else's: a stranger could
    // make rows of the audit log look like those of another request.
    const given = request.headers['x-request-id'];
    const isKept = typeof given === 'string' && REQUEST_ID.test(given) && addresses.isTrustedProxy(request);
    request.id = isKept ? given : randomUUID();
    response.setHeader('X-Request-Id', request.id);
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const { method } = request;
      // Unknown paths share one name: a scanner must not be able to fill the memory of the metrics.
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      const reason = response.locals['reason'] as string | undefined;
      const status = response.statusCode;
      metrics.observe({ method, route, status, reason, seconds });
      logger.info({
        requestId: request.id,
        method,
        route,
        status,
        reason,
        // Who met a refusal: a success is told by the audit log where it changed something.
        ...(isTraced(status, subjectOf(response)) && {
          address: addresses.of(request),
          ...subjectOf(response),
        }),
        ms: Math.round(seconds * 1000),
        ...traceOfLine(spanOf(response)),
        // The client went away before its answer was complete.
        ...(!response.writableFinished && { aborted: true }),
      });
    });
    next();
  };
}
