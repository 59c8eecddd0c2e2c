import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/** One middleware of several, which run in their order: a layer of Express takes as long as most of them. */
export const inOrder =
  (...handlers: readonly RequestHandler[]): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    let index = 0;
    const goOn = (error?: unknown): void => {
      const handler = error === undefined ? handlers[index++] : undefined;
      if (handler === undefined) next(error);
      else void handler(request, response, goOn);
    };
    goOn();
  };

/** Treats duplicate slashes in a path as one: old clients call `//login` (decisions.md section 1). */
export function mergeSlashes(request: Request, _response: Response, next: NextFunction): void {
  if (request.url.includes('//')) {
    const [path = '', ...query] = request.url.split('?');
    request.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  }
  next();
}

/** Data is neither a document nor a part of one: what a browser could do with it is forbidden in seven headers. */
const OF_DATA: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};
/** The service may be reached over plain HTTP: the proxy in front may end TLS. */
const OF_DOCUMENTS: HelmetOptions = {
  contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
};

/**
 * Sets helmet's headers, which do not depend on the request: they are computed once. Responses carry personal data and
 * credentials, so no cache may keep them.
 */
export function securityHeaders(): RequestHandler {
  const ofData = headersOf(OF_DATA);
  const ofDocuments = headersOf(OF_DOCUMENTS);
  return (request: Request, response: Response, next: NextFunction): void => {
    const headers = request.path.startsWith('/docs') ? ofDocuments : ofData;
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function headersOf(options: HelmetOptions): [name: string, value: string][] {
  const headers: [name: string, value: string][] = [['Cache-Control', 'no-store']];
  const collector = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, collector as unknown as ServerResponse, () => undefined);
  return headers;
}
