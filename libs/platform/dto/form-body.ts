import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { BadRequest } from '../errors/api-error';
import { bodyTooLarge, DeferredBodyError, MAX_BODY_SIZE } from './json-body';

const FORM = 'application/x-www-form-urlencoded';

/** Parses the form bodies that `jsonBody` left. Like it, it sends no response. */
export function formBody(): RequestHandler {
  const parse = express.urlencoded({ limit: MAX_BODY_SIZE, extended: false, type: FORM });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!(request.body instanceof DeferredBodyError) || request.is(FORM) === false) {
      next();
      return;
    }
    const { body } = request as { body: DeferredBodyError };
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
