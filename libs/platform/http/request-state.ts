import type { Request, Response } from 'express';
import type { RequestContext } from '../context/request-context';
import type { AnswerReason } from '../errors/reasons';

/** What the parts of the service share about a request. */
export interface RequestState {
  /** In the log, the `X-Request-Id` header, every error body and the audit log. */
  id: string;
  /** From the access guard on, which is the first. */
  context: RequestContext;
  /** Whose valid credential it is, even if access is refused. */
  caller?: {
    /** Null for a service key. */
    readonly userId: number | null;
    readonly organisationId: number;
    readonly credential: { readonly kind: 'login' | 'api_key' | 'service_key'; readonly id: number };
    /** The user or service key, as text: it has a share of the memory of responses. */
    readonly holder?: string | undefined;
  };
  /** The path's identifiers by parameter; all exist. */
  pathIds?: Readonly<Record<string, number>>;
  /** The controller's method. */
  handler?: (...args: never[]) => unknown;
  /** The route's pattern, where a gate responded before the router. */
  route?: string;
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
