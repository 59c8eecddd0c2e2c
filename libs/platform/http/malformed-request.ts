import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { requestState } from '../context/request-state';
import { ApiError, BadRequest } from '../errors/api-error';
import { errorBody, writeErrorResponse } from './error-response';

const NO_TARGET = new BadRequest('The request target is not a valid URL');
const NOT_ONE_HOST = new ApiError(400, 'BAD_REQUEST', 'The request needs one Host header', {
  headers: { Connection: 'close' },
});
const NOT_SERVED = new ApiError(400, 'BAD_REQUEST', 'This version or transfer coding of HTTP is not served', {
  headers: { Connection: 'close' },
});

/** The beginning of a complete URL, with an authority that is not empty. */
const AUTHORITY = /^https?:\/\/[\w.~!$&'()*+,;=:@%[\]-]+/i;
/**
 * A path of the characters of RFC 3986, section 3.3, and a query without controls, blanks and `#`. Browsers
 * send characters such as `[ ] | ^ { }` in a query as they are. `*` is the whole server.
 */
const PATH_AND_QUERY = /^(?:[/*][\w.~!$&'()*+,;=:@%/-]*)?(?:\?[!"$-~]*)?$/;

/**
 * Why a request can never be served; undefined for nearly all requests. Reduces its target to a path and a
 * query, which Express needs before any middleware runs.
 */
export function refusalOfMalformed(request: IncomingMessage): ApiError | undefined {
  const hasTarget = takePath(request);
  if (!endsAlike(request)) return NOT_SERVED;
  if (!namesHost(request)) return NOT_ONE_HOST;
  return hasTarget ? undefined : NO_TARGET;
}

/** Runs after the log and the security headers, so that a malformed request gets both. */
export function refuseMalformed(_request: Request, response: Response, next: NextFunction): void {
  const { malformed } = requestState(response);
  if (malformed === undefined) next();
  else writeErrorResponse(malformed, response);
}

/**
 * Reduces a target to its path and query: of a complete URL, which a proxy may send (RFC 9112, section
 * 3.2.2), what follows the authority. Duplicate slashes of the path count as one: old clients call `//login`
 * (rule requests 36). False if it is not a target; then the path is `/`.
 *
 * Express reads the path before any middleware runs. It would hand a target with `#` or a control to Node's
 * old parser, which takes `\` for `/` and may throw. So `/metrics\#` passed the rules of a proxy.
 */
function takePath(request: IncomingMessage): boolean {
  const target = request.url ?? '/';
  const [authority = ''] = AUTHORITY.exec(target) ?? [];
  const rest = target.slice(authority.length);
  const isTarget = PATH_AND_QUERY.test(rest) && (authority === '' || URL.canParse(authority));
  const asked = isTarget ? (rest.startsWith('/') ? rest : `/${rest}`) : '/';
  // Relative links of a page count the slashes of the path that the browser knows.
  (request as Request).originalUrl = asked;
  request.url = withSingleSlashes(asked);
  return isTarget;
}

function withSingleSlashes(pathAndQuery: string): string {
  if (!pathAndQuery.includes('//')) return pathAndQuery;
  const [path = '', ...query] = pathAndQuery.split('?');
  return [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
}

/**
 * Whether every proxy on the way sees the same end of the body (RFC 9112, section 6.1). Node's parser also
 * takes HTTP/0.9 and 2.0 in a request line, a transfer coding in HTTP/1.0, which knows none, and codings that
 * nobody undoes here, such as `gzip, chunked`.
 */
function endsAlike({ httpVersion, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return httpVersion === '1.1' || httpVersion === '1.0';
  return httpVersion === '1.1' && coding.toLowerCase() === 'chunked';
}

/**
 * Exactly one `Host` (RFC 9112, section 3.2); HTTP/1.0 may omit it. Node's `headers` have
 * only the first of several.
 */
function namesHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Node's statuses for its errors; 400 for every other error. */
const REFUSALS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, 'REQUEST_TIMEOUT', 'The request did not arrive whole in time'),
  HPE_HEADER_OVERFLOW: new ApiError(431, 'HEADERS_TOO_LARGE', 'The headers are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ApiError(413, 'BODY_TOO_LARGE', 'The chunk extensions are too large'),
};
const NOT_HTTP = new BadRequest('The request is not valid HTTP');

/** The error for bytes that are not a complete request. */
export const refusalOfUnreadable = ({ code = '' }: NodeJS.ErrnoException): ApiError =>
  REFUSALS[code] ?? NOT_HTTP;

/** The complete response if there is no `ServerResponse`. Node would send one without a body. */
export function responseWithout(refusal: ApiError, requestId: string): string {
  const body = JSON.stringify(errorBody(refusal, requestId));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
