import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** Treats duplicate slashes in a path as one: old clients call `//login` (decisions.md section 1). */
export function mergeSlashes(request: Request, _response: Response, next: NextFunction): void {
  if (request.url.includes('//')) {
    const [path = '', ...query] = request.url.split('?');
    request.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  }
  next();
}

/**
 * Sets helmet's headers, which do not depend on the request: they are computed once. Responses carry personal data and
 * credentials, so no cache may keep them.
 */
export function securityHeaders(): RequestHandler {
  const headers: [name: string, value: string][] = [['Cache-Control', 'no-store']];
  const collector = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  // The service may be reached over plain HTTP: the proxy in front may end TLS.
  const apply = helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } });
  apply({} as IncomingMessage, collector as unknown as ServerResponse, () => undefined);
  return (_request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
