import { STATUS_CODES } from 'node:http';
import { ApiError, BadRequest } from '../errors/api-error';
import { errorBody } from './error-response';

/** The statuses that Node has for its errors; 400 for every other one. */
const REFUSALS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new ApiError(408, 'REQUEST_TIMEOUT', 'The request did not arrive whole in time'),
  HPE_HEADER_OVERFLOW: new ApiError(431, 'HEADERS_TOO_LARGE', 'The headers are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new ApiError(413, 'BODY_TOO_LARGE', 'The chunk extensions are too large'),
};
const NOT_HTTP = new BadRequest('The request is not valid HTTP');

/** Why bytes are no request, or not yet. */
export const refusalOfUnreadable = ({ code = '' }: NodeJS.ErrnoException): ApiError =>
  REFUSALS[code] ?? NOT_HTTP;

/** The whole response where there is no `ServerResponse`. Node would send one without a body. */
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
