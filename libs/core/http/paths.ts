import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RouteTable } from '../access/route-table';
import { BadRequest, NotFound } from '../errors/api-error';
import { methodNotAllowed, writeErrorResponse } from './error.filter';
import { hasMalformedTarget } from './http-adapter';

/** Duplicate slashes in a path count as one: old clients call `//login` (decisions.md section 1). */
export function mergeSlashes(request: Request, _response: Response, next: NextFunction): void {
  if (request.url.includes('//')) {
    const [path = '', ...query] = request.url.split('?');
    request.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
  }
  next();
}

/** A target in absolute form that is no URL has no path to be served by (decisions.md section 11). */
export function rejectMalformedTargets(request: Request, response: Response, next: NextFunction): void {
  if (!hasMalformedTarget(request)) next();
  else writeErrorResponse(new BadRequest('The request target is not a valid URL'), request, response);
}

/**
 * Nest answers for unknown paths beneath its prefix only; for all others express would send a page of its own. Stands
 * before the body's reader: nobody's body is waited for without a path that takes it.
 */
export function rejectUnknownPaths(routes: RouteTable): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { path, method } = request;
    const allowed = routes.methodsOf(path);
    const isUpToNest = allowed.length > 0 && /^\/v1(\/|$)/i.test(path);
    if (isUpToNest || allowed.includes(method)) next();
    else
      writeErrorResponse(
        allowed.length === 0 ? new NotFound('Resource') : methodNotAllowed(allowed),
        request,
        response,
      );
  };
}
