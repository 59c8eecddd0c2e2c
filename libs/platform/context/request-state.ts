import type { Request, Response } from 'express';
import type { ApiError } from '../errors/api-error';
import type { AnswerReason } from '../errors/reasons';
import type { WorkContext } from './work-context';

/**
 * A request with `Idempotency-Key`, whose response is stored with its change: see `libs/edge/idempotency`.
 */
export interface IdempotentRequest {
  /** Call it once access is granted. */
  start(): Promise<void>;
  /** Call it before a response is sent, and send once it resolves. */
  save(content: unknown): Promise<void>;
  /**
   * Call it before an error response with this status is sent. Returns the error to respond with, or
   * undefined if it has responded.
   */
  fail(error: unknown, status: number): Promise<unknown>;
}

/** The route of a request. */
interface MatchedRoute {
  readonly method: string;
  /** Its pattern, with `:parameters`. */
  readonly path: string;
  /** The controller's method. */
  readonly handler: (...args: never[]) => unknown;
}

/**
 * The state of a request that parts of the service share. `security/context/access-state` adds what the
 * access guard finds.
 */
export interface RequestState {
  /** In the log, the `X-Request-Id` header, every error body and the audit log. */
  id: string;
  /** Why the request cannot be served at all. */
  malformed?: ApiError;
  /** The route, and the values in the path, still encoded. Undefined for an unknown path or method. */
  match?: Readonly<{ route: MatchedRoute; parameters: Readonly<Record<string, string>> }>;
  /** Set by the first guard. */
  context: WorkContext;
  /** SHA-256 of the body, if something needs it. */
  bodyDigest?: Buffer;
  idempotentRequest?: IdempotentRequest;
  /** Writes an error as HTML, on routes that people open in a browser. */
  errorPage?: (error: ApiError) => string;
  /** Why the request failed. */
  reason?: AnswerReason;
}

/** The state of a request, stored in Express's place for it. */
export const requestState = (response: Pick<Response, 'locals'>): RequestState =>
  response.locals as RequestState;

/** The pattern of the request's route, or of what Express serves itself; undefined for an unknown path. */
export const routeOf = (
  request: Pick<Request, 'route'>,
  response: Pick<Response, 'locals'>,
): string | undefined =>
  requestState(response).match?.route.path ?? (request.route as { path?: string } | undefined)?.path;
