import type { Request, Response } from 'express';
import type { ClientAddresses } from '@app/platform/context/client-addresses';
import { accessState } from '../context/access-state';
import { Caller } from './caller';

/** The owner of the valid credential of a request, even if access is refused. */
export function callerOf(response: Pick<Response, 'locals'>): Caller | undefined {
  const { context } = accessState(response);
  return context instanceof Caller ? context : undefined;
}

/** Statuses whose log line names the sender: refused credentials, denials, missing roles and lock-outs. */
const TRACED: ReadonlySet<number> = new Set([401, 403, 429, 500]);

/** The 404 of an unknown name is also a guess. */
const isTraced = (status: number, nameDigest: string | undefined): boolean =>
  TRACED.has(status) || (status === 404 && nameDigest !== undefined);

/**
 * What the log line of a request that has ended says of its sender: nothing, unless it was refused. The audit
 * log contains the sender of a change.
 */
export const refusedSender =
  (addresses: ClientAddresses) =>
  (request: Request, response: Response): object | undefined => {
    const { nameDigest } = accessState(response);
    if (!isTraced(response.statusCode, nameDigest)) return undefined;
    const caller = callerOf(response);
    return {
      address: addresses.of(request),
      userId: caller?.userId ?? undefined,
      credentialKind: caller?.credential.kind,
      ...(caller?.userId === null && { serviceKeyId: caller.credential.id }),
      nameDigest,
    };
  };
