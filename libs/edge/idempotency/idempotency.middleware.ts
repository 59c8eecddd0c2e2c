import { hash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { requestState } from '@app/platform/context/request-state';
import { IDEMPOTENCY_KEY } from './idempotency.types';
import type { IdempotencyStore } from './idempotency-store';

const HEADER = IDEMPOTENCY_KEY.toLowerCase();

/** The unvalidated key of a POST. */
const keyOf = ({ method, headers }: Pick<Request, 'method' | 'headers'>): string | undefined =>
  method === 'POST' ? [headers[HEADER]].flat()[0] : undefined;

/** Stores the digest of the body of a request with a key. */
export function noteBody(request: Request, response: Response, bytes: Buffer): void {
  if (keyOf(request) === undefined) return;
  requestState(response).bodyDigest = hash('sha256', bytes, 'buffer');
}

/** Sets `idempotentRequest` for a POST with a key. */
export const idempotencyMiddleware =
  (store: IdempotencyStore): RequestHandler =>
  (request, response, next) => {
    const key = keyOf(request);
    if (key !== undefined) requestState(response).idempotentRequest = store.requestWithKey(key, response);
    next();
  };
