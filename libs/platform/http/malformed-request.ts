import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { ApiError, BadRequest } from '../errors/api-error';
import { writeErrorResponse } from './error-response';
import { requestState } from '../context/request-state';

const NO_TARGET = new BadRequest('The request target is not a valid URL');
const NOT_ONE_HOST = new ApiError(400, 'BAD_REQUEST', 'The request needs one Host header', {
  headers: { Connection: 'close' },
});

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Why a request cannot be served, whatever it asks for; undefined for nearly every one. Reduces its target to a path, which
 * Express needs before any middleware runs.
 */
export function refusalOfMalformed(request: IncomingMessage): ApiError | undefined {
  const hasTarget = takePath(request);
  if (!namesHost(request)) return NOT_ONE_HOST;
  return hasTarget ? undefined : NO_TARGET;
}

/** Stands behind the log and the headers of every response, so that a malformed request has both. */
export function refuseMalformed(_request: Request, response: Response, next: NextFunction): void {
  const { malformed } = requestState(response);
  if (malformed === undefined) next();
  else writeErrorResponse(malformed, response);
}

/** Reduces a whole URL, which a proxy may send (RFC 9112, section 3.2.2), to its path. False if it is no URL. */
function takePath(request: IncomingMessage): boolean {
  const target = request.url ?? '/';
  if (!AUTHORITY.test(target)) return true;
  const path = target.replace(AUTHORITY, '');
  request.url = path.startsWith('/') ? path : `/${path}`;
  return URL.canParse(target);
}

/** One `Host`, which HTTP/1.0 may leave out (RFC 9112, section 3.2). Node's `headers` have only the first of several. */
function namesHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
