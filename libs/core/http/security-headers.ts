import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/**
 * The headers that helmet would set on every answer, worked out once: they do not depend on the request.
 * Responses carry personal data and credentials, so no cache on the way may keep them either.
 */
export function securityHeaders(): RequestHandler {
  const headers: [name: string, value: string][] = [['Cache-Control', 'no-store']];
  const collector = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  // The service itself may be reached over plain HTTP, with TLS ending in the proxy in front.
  const apply = helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } });
  apply({} as IncomingMessage, collector as unknown as ServerResponse, () => undefined);
  return (_request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
