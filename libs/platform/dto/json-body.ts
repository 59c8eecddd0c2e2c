import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, BadRequest } from '../errors/api-error';
import { measureOfJson } from './json-measure';

/** Maximum size of a request body (rule requests 3). */
export const MAX_BODY_SIZE = '100kb';

/**
 * Maximum nesting of objects and arrays: far more than a field needs, and far less than a parser can handle.
 */
const MAX_BODY_DEPTH = 20;

/**
 * Maximum values of a body (rule requests 4), few enough to be read in the time of an ordinary request. The
 * domains of a mail group are the longest list: some 700 of them fit.
 */
const MAX_BODY_VALUES = 5000;

const UNSUPPORTED = 'The encoding or character set of the body is not supported';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/gi;

/** Names of UTF-8, and of its part that has one byte for each character. An empty name counts as absent. */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', '']);

/**
 * False if the body has a character set other than UTF-8 (rule requests 5). Otherwise leaves the media type
 * alone in the header: the parsers know `utf-8` as the only name, and would decode UTF-7 and UTF-16.
 */
export function takeCharset({ headers }: Pick<Request, 'headers'>): boolean {
  const type = headers['content-type'];
  if (type === undefined) return true;
  const charsets = [...type.matchAll(CHARSET)].map(([, charset = '']) => charset.toLowerCase());
  if (!charsets.every((charset) => CHARSETS.has(charset))) return false;
  headers['content-type'] = type.split(';')[0]?.trim();
  return true;
}

type Verify = (request: unknown, response: unknown, bytes: Buffer, charset: string) => void;

export const bodyTooLarge = (): ApiError =>
  new ApiError(413, 'BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_SIZE}`);

export const notJson = (message = 'The body should be application/json'): ApiError =>
  new ApiError(415, 'NOT_JSON', message);

/**
 * Replaces an unreadable body. The code that uses the body throws it, because 401, 404 and 403 come first
 * and a GET ignores its body.
 */
export class DeferredBodyError {
  constructor(readonly answer: ApiError) {}
}

/**
 * Parses JSON bodies if `isRead` is true. It sends no response: an unreadable body becomes a
 * {@link DeferredBodyError}.
 * @param onBytes receives the bytes of each body
 */
export function jsonBody(
  isRead: (request: Request, response: Response) => boolean = () => true,
  onBytes: (request: Request, response: Response, bytes: Buffer) => void = () => undefined,
): RequestHandler {
  const verify: Verify = (request, response, bytes, charset) => {
    onBytes(request as Request, response as Response, bytes);
    assertUtf8(bytes, charset);
    assertMeasure(bytes);
  };
  const parse = express.json({ limit: MAX_BODY_SIZE, type: isJson, strict: false, verify });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request) || !isRead(request, response)) {
      request.body = undefined;
      next();
      return;
    }
    if (!isJson(request)) {
      request.body = new DeferredBodyError(notJson());
      next();
      return;
    }
    if (!takeCharset(request)) {
      request.body = new DeferredBodyError(notJson(UNSUPPORTED));
      next();
      return;
    }
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) request.body = new DeferredBodyError(apiErrorOfParser(error));
      next();
    });
  };
}

/** The parser would silently replace invalid bytes by U+FFFD. */
function assertUtf8(body: Buffer, charset: string): void {
  if (charset === 'utf-8' && !isUtf8(body)) throw new Error('The body is not UTF-8');
}

/** Before the body is parsed, which takes time with its values. The outermost object is no nesting. */
function assertMeasure(body: Buffer): void {
  const { depth, values } = measureOfJson(body);
  if (depth > MAX_BODY_DEPTH + 1) throw new BadRequest('The body is nested too deeply', 'BODY_TOO_DEEP');
  if (values > MAX_BODY_VALUES)
    throw new ApiError(413, 'BODY_TOO_LARGE', `The body has more than ${MAX_BODY_VALUES} values`);
}

/** Whether the headers announce a body, which may never arrive. */
export const hasBody = (request: { headers: Request['headers'] }): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Old clients omit the type. Without a type, a body that is not JSON counts as malformed. */
export const isJson = (request: { headers: Request['headers'] }): boolean => {
  const type = request.headers['content-type'];
  return type === undefined || /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
};

function apiErrorOfParser(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { status, type } = error as { status?: number; type?: string };
  if (status === 413) return bodyTooLarge();
  if (status === 415) return notJson(UNSUPPORTED);
  if (type === 'request.aborted') return new BadRequest('The request was aborted', 'ABORTED');
  return new BadRequest('The body is not valid JSON', 'MALFORMED_JSON');
}
