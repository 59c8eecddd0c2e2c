import type { Response } from 'express';
import { type RequestState, requestState } from '@app/platform/context/request-state';
import type { ApiError } from '@app/platform/errors/api-error';
import type { RequestContext } from './request-context';

/** The state of a request, with what is known of its access. */
export interface AccessState extends RequestState {
  /** Set by the access guard, which is the first guard; with a valid credential it is a `Caller`. */
  context: RequestContext;
  /** The identifiers in the path, by parameter. Their records exist. */
  pathIds?: Readonly<Record<string, number>>;
  /** Whether the caller would have access, but a record of the path is missing. */
  lacksRecordAlone?: boolean;
  /** Tells the page of whose people it is. Set on routes that people open in a browser. */
  announceOrganisation?: (organisationId: number) => Promise<void>;
  /** What the page of an error reads before it shows. It never fails. */
  readyErrorPage?: (error: ApiError) => Promise<void>;
  /** Keyed digest of the user name in a failed request. It distinguishes guesses at different names. */
  nameDigest?: string;
}

export const accessState = (response: Pick<Response, 'locals'>): AccessState =>
  requestState(response) as AccessState;
