import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { callerOf } from '@app/core/http/request-caller';
import type { UsageRecorder } from './usage-recorder';

const PREFIX = '/v1/';

/** Every request asks for its own; there are as many as routes. */
const operations = new Map<string, string>();

/** A route as the description of the interface writes it, without the prefix of all. */
function operationOf(method: string, route: string): string {
  const key = `${method} ${route}`;
  const known = operations.get(key);
  if (known !== undefined) return known;
  const path = route.slice(PREFIX.length - 1).replaceAll(/:(\w+)/g, '{$1}');
  const operation = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  operations.set(key, operation);
  return operation;
}

/**
 * Counts each request once it has ended: with a good credential whatever was answered, without one what succeeded, so
 * that neither scanners nor wrong passwords look like customers.
 */
export function countUse(recorder: UsageRecorder): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    response.once('close', () => {
      const route = (request.route as { path?: string } | undefined)?.path;
      if (route === undefined || !route.startsWith(PREFIX)) return;
      const caller = callerOf(response);
      if (caller === undefined && response.statusCode >= 400) return;
      recorder.note({
        operation: operationOf(request.method, route),
        organisationId: caller?.organisationId ?? 0,
        credential: caller?.credential ?? 'none',
        userAgent: request.headers['user-agent'],
      });
    });
    next();
  };
}
