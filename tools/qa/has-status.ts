import type { Response } from 'supertest';

/**
 * Fails unless a response has this status, and then shows why the service refused:
 * `request(url).get(path).expect(hasStatus(200))`, or `hasStatus(200)(await deployment.send(call))`.
 */
export const hasStatus =
  (expected: number) =>
  ({ status, body, text }: Pick<Response, 'status' | 'body' | 'text'>): void => {
    if (status === expected) return;
    const { reason, message, requestId } = (body ?? {}) as Partial<Record<string, string>>;
    const why = reason === undefined ? text.slice(0, 300) : `${reason}, ${message}; request ${requestId}`;
    throw new Error(`expected ${expected}, got ${status}: ${why}`);
  };
