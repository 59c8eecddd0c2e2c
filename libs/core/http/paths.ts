import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RouteTable } from '../access/route-table';
import { NotFound } from '../errors/api-error';
import { methodNotAllowed, writeAnswer } from '../errors/error-filter';

/**
 * Duplicate slashes in a path count as one: old clients call `//login` (decisions.md section 1). A whole address as
 * the target of a request, which proxies may send (RFC 9112, section 3.2.2), is its path.
 */
export function mergeSlashes(request: Request, _response: Response, next: NextFunction): void {
  const target = request.url.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '', ...query] = target.split('?');
  if (path.includes('//') || target !== request.url) {
    request.url = [`/${path}`.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  }
  next();
}

/** Nest answers for unknown paths beneath its prefix only; for all others express would send a page of its own. */
export function refuseUnknownPaths(routes: RouteTable): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { path, method } = request;
    const allowed = /^\/v1(\/|$)/i.test(path) ? [method] : routes.methodsOf(path);
    if (allowed.includes(method)) next();
    else
      writeAnswer(
        allowed.length === 0 ? new NotFound('Resource') : methodNotAllowed(allowed),
        request,
        response,
      );
  };
}
