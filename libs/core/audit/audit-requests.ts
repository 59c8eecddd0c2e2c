import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ClientAddresses } from '../access/client-addresses';
import { actingForRequest } from '../actor/actor-context';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether requests of a method change nothing that is audited, and write no jobs. */
export const isRead = (method: string): boolean => READS.has(method);

/** Opens the audit context of a request. Stands behind the body's reader, whose events come from the socket's context. */
export function auditRequests(addresses: ClientAddresses): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction): void => {
    // Reads change nothing that is audited: they are spared what a context costs every promise in it.
    if (isRead(request.method)) next();
    else actingForRequest(() => ({ address: addresses.of(request), requestId: request.id }), next);
  };
}
