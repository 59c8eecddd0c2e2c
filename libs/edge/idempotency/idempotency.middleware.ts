import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { requestState } from '@app/platform/context/request-state';
import { IDEMPOTENCY_KEY } from './idempotency.types';
import type { KeptResponses } from './kept-responses';

const HEADER = IDEMPOTENCY_KEY.toLowerCase();

/** The header of a POST, as it was sent. */
const keyOf = ({ method, headers }: Pick<Request, 'method' | 'headers'>): string | undefined =>
  method === 'POST' ? [headers[HEADER]].flat()[0] : undefined;

/** Notes the digest of the body of a request with a key. */
export function noteBody(request: Request, response: Response, bytes: Buffer): void {
  if (keyOf(request) === undefined) return;
  requestState(response).bodyDigest = createHash('sha256').update(bytes).digest();
}

/** Gives a request with a key its keeper. */
export const keepingResponses =
  (responses: KeptResponses): RequestHandler =>
  (request, response, next) => {
    const key = keyOf(request);
    if (key !== undefined) requestState(response).keeper = responses.keeperOf(key, response);
    next();
  };
