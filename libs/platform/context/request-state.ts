import type { Request, Response } from 'express';
import type { ApiError } from '../errors/api-error';
import type { AnswerReason } from '../errors/reasons';
import type { CredentialKind, RequestContext } from './request-context';

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

/** The state of a request that parts of the service share. */
export interface RequestState {
  /** In the log, the `X-Request-Id` header, every error body and the audit log. */
  id: string;
  /** Headers of the response, names and values in turn. One that is set by `setHeader` has precedence. */
  headers: string[];
  /** Why the request cannot be served at all. */
  malformed?: ApiError;
  /** The route, and the values in the path, still encoded. */
  match?: Readonly<{ route: { method: string; path: string }; parameters: Record<string, string> }>;
  /** Set by the access guard, which is the first guard. */
  context: RequestContext;
  /** The owner of the valid credential, even if access is refused. */
  caller?: {
    /** Null for a service key. */
    readonly userId: number | null;
    readonly organisationId: number;
    readonly credential: {
      readonly kind: CredentialKind;
      readonly id: number;
    };
    /** The user or service key, as text. It has a share of the memory for responses. */
    readonly holder?: string | undefined;
  };
  /** The identifiers in the path, by parameter. Their records exist. */
  pathIds?: Readonly<Record<string, number>>;
  /** Whether the caller would have access, but a record of the path is missing. */
  lacksRecordAlone?: boolean;
  /** The controller's method. */
  handler?: (...args: never[]) => unknown;
  /** The route's pattern, if a gate responded before the router. */
  route?: string;
  /** SHA-256 of the body, if something needs it. */
  bodyDigest?: Buffer;
  idempotentRequest?: IdempotentRequest;
  /** Writes an error as HTML, on routes that people open in a browser. */
  errorPage?: (error: ApiError) => string;
  /** Why the request failed. */
  reason?: AnswerReason;
  /** Keyed digest of the user name in a failed request. It distinguishes guesses at different names. */
  nameDigest?: string;
}

/** The state of a request, stored in Express's place for it. */
export const requestState = (response: Pick<Response, 'locals'>): RequestState =>
  response.locals as RequestState;

/** The pattern of the request's route; undefined for an unknown path. */
export const routeOf = (
  request: Pick<Request, 'route'>,
  response: Pick<Response, 'locals'>,
): string | undefined =>
  requestState(response).route ?? (request.route as { path?: string } | undefined)?.path;
