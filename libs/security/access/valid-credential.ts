import type { EntityManager } from 'typeorm';
import { type ApiError, Unauthorised } from '@app/platform/errors/api-error';
import { type PresentedCredential, TABLE_OF } from './access.types';

/** 401 for a credential that is not valid. */
export const unknownCredential = (): ApiError =>
  new Unauthorised('The credential is unknown, expired or revoked');

/** The triggers `own_end` note that this transaction itself ends the credential, as a logout does. */
const HOLDS = (kind: PresentedCredential['kind']): string => `
  SELECT (SELECT true FROM ${TABLE_OF[kind]} WHERE id = $1 FOR KEY SHARE) OR current_setting('audit.own_end', true) = 'true' AS holds`;

/**
 * Throws 401 if the credential has ended since the guard looked it up. A transaction that ends it waits for
 * this one, and then sees what this one wrote. Ask after the work: transactions that end credentials lock
 * their user first, and the work may lock the same user.
 */
export async function assertCredentialValid(
  manager: EntityManager,
  { kind, id }: PresentedCredential,
): Promise<void> {
  const [row] = await manager.query<{ holds: boolean | null }[]>(HOLDS(kind), [id]);
  if (row?.holds !== true) throw unknownCredential();
}
