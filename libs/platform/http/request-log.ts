import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { ClientAddresses } from '../context/client-addresses';
import { requestState, routeOf } from '../context/request-state';
import type { ApiError } from '../errors/api-error';
import type { Metrics } from '../observability/metrics';

/** Called at the end of each request. */
interface RequestNotes {
  /** What the log line says of the sender, if anything. */
  readonly sender: (request: Request, response: Response) => object | undefined;
  readonly ended: (request: Request, response: Response) => void;
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Gives every request an id, and at its end writes one log line and its metrics. The line contains the route,
 * because a path can contain a token; it contains no headers and no body. pino-http, with a child logger and
 * serialisers for each request, took a quarter of the time of a whole read.
 */
export function requestLog(
  logger: Logger,
  metrics: Metrics,
  addresses: ClientAddresses,
  notes: RequestNotes,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    // Keeps the id of a trusted proxy, so that both logs have the same id. A stranger who chooses an id could
    // make rows of the audit log look like the rows of another request.
    const given = request.headers['x-request-id'];
    const isKept = typeof given === 'string' && REQUEST_ID.test(given) && addresses.isTrustedProxy(request);
    const state = requestState(response);
    state.id = isKept ? given : randomUUID();
    response.setHeader('X-Request-Id', state.id);
    response.on('close', () => {
      const seconds = (performance.now() - start) / 1000;
      const { method } = request;
      // Unknown paths share one name, so that a scanner cannot fill the memory of the metrics.
      const route = routeOf(request, response) ?? 'unknown';
      const { id: requestId, reason } = state;
      const status = response.statusCode;
      metrics.observe({ method, route, status, reason, seconds });
      logger.info({
        requestId,
        method,
        route,
        status,
        reason,
        ...notes.sender(request, response),
        ms: Math.round(seconds * 1000),
        // The client disconnected before the end of the response.
        ...(!response.writableFinished && { aborted: true }),
      });
      notes.ended(request, response);
    });
    next();
  };
}

/** The log line and the metric for bytes that are not a request. They have neither method nor route. */
export const unreadableLog =
  (logger: Logger, metrics: Metrics) =>
  ({ status, reason }: ApiError, requestId: string): void => {
    metrics.observe({ method: 'unknown', route: 'unknown', status, reason });
    logger.info({ requestId, status, reason });
  };
