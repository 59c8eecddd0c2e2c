import type { Response } from 'express';
import type { PresentedCredential } from '../access/caller';

/** Whose credential a request carried, whatever became of the request. */
export interface RequestCaller {
  readonly organisationId: number;
  readonly credential: PresentedCredential['kind'];
}

const CALLER = 'caller';

type Kept = Pick<Response, 'locals'>;

/** Keeps it for what looks at a request when it has ended. */
export function keepCaller(response: Kept, caller: RequestCaller): void {
  response.locals[CALLER] = caller;
}

/** Undefined where the request carried no good credential, or its route asks for none. */
export const callerOf = (response: Kept): RequestCaller | undefined =>
  response.locals[CALLER] as RequestCaller | undefined;
