import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { ApiError, BadRequest } from '../errors/api-error';

/** Largest request body (decisions.md section 1). */
const MAX_BODY_SIZE = '100kb';

/** Objects and arrays within each other: far more than any field needs, far less than a parser minds. */
const MAX_BODY_DEPTH = 20;

/**
 * Stands in `request.body` for a body that could not be read. Whether that matters is decided where the body
 * is used: 401, 404 and 403 come before any error of the body, and a GET with a stray body is fine.
 */
export class UnreadBody {
  constructor(readonly answer: ApiError) {}
}

/** Reads JSON bodies. Never answers by itself: what it can not read becomes an {@link UnreadBody}. */
export function jsonBody(): RequestHandler {
  const parse = express.json({ limit: MAX_BODY_SIZE, type: isJson, strict: false, verify: assertUtf8 });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasBody(request)) {
      request.body = undefined;
      next();
      return;
    }
    if (!isJson(request)) {
      request.body = new UnreadBody(new ApiError(415, 'NOT_JSON', 'The body should be application/json'));
      next();
      return;
    }
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) request.body = new UnreadBody(apiErrorOfParser(error));
      else if (isDeeperThan(request.body, MAX_BODY_DEPTH)) {
        request.body = new UnreadBody(new BadRequest('The body is nested too deeply', 'BODY_TOO_DEEP'));
      }
      next();
    });
  };
}

/** Bytes that are no UTF-8 would be read as U+FFFD: what was sent would be lost without a word. */
function assertUtf8(_request: unknown, _response: unknown, body: Buffer, charset: string): void {
  if (charset === 'utf-8' && !isUtf8(body)) throw new Error('The body is not UTF-8');
}

const hasBody = (request: { headers: Request['headers'] }): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** Old clients leave the type out; a body that then is no JSON is refused as malformed. */
const isJson = (request: { headers: Request['headers'] }): boolean => {
  const type = request.headers['content-type'];
  return type === undefined || /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
};

function apiErrorOfParser(error: unknown): ApiError {
  const { status, type } = error as { status?: number; type?: string };
  if (status === 413) return new ApiError(413, 'BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_SIZE}`);
  if (status === 415) {
    return new ApiError(415, 'NOT_JSON', 'The encoding or character set of the body is not supported');
  }
  if (type === 'request.aborted') return new BadRequest('The request was aborted', 'ABORTED');
  return new BadRequest('The body is not valid JSON', 'MALFORMED_JSON');
}

/** Looks level by level, so that no nesting can exhaust the stack. */
function isDeeperThan(body: unknown, limit: number): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? Object.values(value as Record<string, unknown>).filter(isContainer)
        : [],
    );
  }
  return false;
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;
