import type { Request } from 'express';
import type { ClientAddresses } from '../access/client-addresses';
import { actingForRequest } from '../actor/actor-context';

/** As Nest makes them. */
export type RouteHandler = (request: Request, ...rest: unknown[]) => Promise<unknown>;

/** A route's handler whose changes are those of who sends the request. */
export function auditedHandler(handler: RouteHandler, addresses: ClientAddresses): RouteHandler {
  return (request, ...rest) =>
    // Its promise tells the end of all that is done for the request, be it that the client has hung up long before.
    actingForRequest(
      () => ({ address: addresses.of(request), requestId: request.id }),
      () => handler(request, ...rest),
    );
}
