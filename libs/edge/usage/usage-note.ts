import type { Request, Response } from 'express';
import { routeOf } from '@app/platform/context/request-state';
import { callerOf } from '@app/security/access/request-sender';
import type { CredentialKind } from '@app/security/context/request-context';
import type { UsageRecorder, Use } from './usage-recorder';

const PREFIX = '/v1/';

/** Operations by method and route: at most one per route. */
const operations = new Map<string, string>();

/** A route as in the OpenAPI document, without the common prefix. */
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
 * Counts a request that has ended: every request with a valid credential, and without one only successful
 * requests, so that scanners and wrong passwords do not look like customers.
 */
export const usageNote =
  (recorder: UsageRecorder) =>
  (request: Request, response: Response): void => {
    const route = routeOf(request, response);
    if (route === undefined || !route.startsWith(PREFIX)) return;
    const caller = callerOf(response);
    if (caller === undefined && response.statusCode >= 400) return;
    recorder.note({
      operation: operationOf(request.method, route),
      organisationId: caller?.organisationId ?? 0,
      credential: caller === undefined ? 'none' : countedKind(caller.credential.kind),
      userAgent: request.headers['user-agent'],
    });
  };

/** Calls with a support login count for the user's organisation, like the user's own calls. */
const countedKind = (kind: CredentialKind): Exclude<Use['credential'], 'none'> =>
  kind === 'support_login' ? 'login' : kind;
