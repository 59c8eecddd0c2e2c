import type { Request, Response } from 'express';
import type { CredentialKind, RequestContext } from './request-context';
import type { ApiError } from '../errors/api-error';
import type { AnswerReason } from '../errors/reasons';

/** Keeps the response of a request with its change, see `libs/edge/idempotency`. */
export interface ResponseKeeper {
  /** Called once access is granted. */
  admit(): Promise<void>;
  /** Called before a response is sent; it is sent once this resolves. */
  keep(content: unknown): Promise<void>;
  /**
   * Called before an error response with this status is sent. Returns the error to respond with; undefined if it has
   * responded.
   */
  refuse(error: unknown, status: number): Promise<unknown>;
}

/** The state of a request that parts of the service share. */
export interface RequestState {
  /** In the log, the `X-Request-Id` header, every error body and the audit log. */
  id: string;
  /** Why it cannot be served, whatever it asks for. */
  malformed?: ApiError;
  /** From the access guard on, which is the first. */
  context: RequestContext;
  /** Whose valid credential it is, even if access is refused. */
  caller?: {
    /** Null for a service key. */
    readonly userId: number | null;
    readonly organisationId: number;
    readonly credential: {
      readonly kind: CredentialKind;
      readonly id: number;
    };
    /** The user or service key, as text: it has a share of the memory of responses. */
    readonly holder?: string | undefined;
  };
  /** The path's identifiers by parameter; all exist. */
  pathIds?: Readonly<Record<string, number>>;
  /** The caller may do it; only a record of the path is missing. */
  lacksRecordAlone?: boolean;
  /** The controller's method. */
  handler?: (...args: never[]) => unknown;
  /** The route's pattern, where a gate responded before the router. */
  route?: string;
  /** SHA-256 of the body, where somebody asks for it. */
  bodyDigest?: Buffer;
  keeper?: ResponseKeeper;
  /** Writes an error as HTML, on routes that people open in a browser. */
  errorPage?: (error: ApiError) => string;
  /** Why the request failed. */
  reason?: AnswerReason;
  /** Keyed digest of the user name of a failed request: tells guesses at different names apart. */
  nameDigest?: string;
}

/** The state of a request, in the place that Express has for it. */
export const requestState = (response: Pick<Response, 'locals'>): RequestState =>
  response.locals as RequestState;

/** The pattern of the request's route; undefined for an unknown path. */
export const routeOf = (
  request: Pick<Request, 'route'>,
  response: Pick<Response, 'locals'>,
): string | undefined =>
  requestState(response).route ?? (request.route as { path?: string } | undefined)?.path;
