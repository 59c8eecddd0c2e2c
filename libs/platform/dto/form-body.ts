import { isUtf8 } from 'node:buffer';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type ApiError, BadRequest } from '../errors/api-error';
import { bodyTooLarge, DeferredBodyError, isJson, MAX_BODY_SIZE, notJson, takeCharset } from './json-body';

const FORM = 'application/x-www-form-urlencoded';

export const notJsonNorForm = (): ApiError => notJson(`The body should be application/json or ${FORM}`);

/** Parses form bodies, which `jsonBody` ignores. Like `jsonBody`, it sends no response. */
export function formBody(): RequestHandler {
  const parse = express.urlencoded({ limit: MAX_BODY_SIZE, extended: false, type: FORM, verify: assertUtf8 });
  return (request: Request, response: Response, next: NextFunction) => {
    const { body } = request as { body: unknown };
    if (!(body instanceof DeferredBodyError) || request.is(FORM) === false) {
      if (body instanceof DeferredBodyError && !isJson(request)) {
        request.body = new DeferredBodyError(notJsonNorForm());
      }
      next();
      return;
    }
    if (!takeCharset(request)) {
      request.body = new DeferredBodyError(notJsonNorForm());
      next();
      return;
    }
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) {
        const isTooLarge = (error as { status?: number }).status === 413;
        request.body = new DeferredBodyError(
          isTooLarge ? bodyTooLarge() : new BadRequest('The body is not a valid form', 'MALFORMED_FORM'),
        );
      } else request.body ??= body;
      next();
    });
  };
}

/**
 * The parser would silently replace invalid bytes by U+FFFD, and a password in them would not be the
 * one that was sent.
 */
function assertUtf8(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  const text = bytes
    .toString('latin1')
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  if (charset === 'utf-8' && !isUtf8(Buffer.from(text, 'latin1'))) throw new Error('The form is not UTF-8');
}
