import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Joins several middlewares into one, in their order: each layer of Express costs as
 * much as most middlewares.
 */
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

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * A response with data is neither a document nor a part of one. Seven headers forbid
 * browsers to treat it as such.
 */
export const HEADERS_OF_DATA: Headers = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** Helmet's defaults without `upgrade-insecure-requests`, because the proxy in front may end TLS. */
export const HEADERS_OF_DOCUMENTS: Headers = [
  ['Cache-Control', 'no-store'],
  [
    'Content-Security-Policy',
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action " +
      "'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src " +
      "'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Download-Options', 'noopen'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
  ['X-XSS-Protection', '0'],
];

/**
 * Responses contain personal data and credentials, so no cache may store them. A test
 * compares the rest with helmet.
 */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  const headers = request.path.startsWith('/docs') ? HEADERS_OF_DOCUMENTS : HEADERS_OF_DATA;
  for (const [name, value] of headers) response.setHeader(name, value);
  next();
}
