import type { EntityManager } from 'typeorm';
import { AccessDenied } from '@app/platform/errors/api-error';
import type { PresentedCredential } from './access.types';
import { addressRefusal, unknownCredential } from './credential-refusals';
import type { Role } from './roles';

/** What the guard decided by. */
export interface JudgedCaller {
  readonly credential: PresentedCredential;
  readonly roles: readonly Role[];
  readonly operations: readonly string[] | null;
  readonly reachesBeneath: boolean;
  readonly ip: string;
}

/** What the right to a write rests on: see the database function `standing_of_caller`. */
interface Standing {
  /** The credential has not expired, and its user is enabled. */
  readonly isEnabled: boolean;
  readonly isSuspended: boolean;
  /** Only of users. */
  readonly roles?: readonly string[];
  /** Only of keys. */
  readonly whitelist?: readonly string[];
  /** Only of service keys. */
  readonly operations?: readonly string[];
  readonly reachesBeneath?: boolean;
}

interface Answer {
  /** Null if the credential is gone. */
  readonly standing: Standing | null;
  readonly hasEndedItself: boolean | null;
}

const STANDING = `
  SELECT standing_of_caller($1, $2) AS standing, current_setting('audit.own_end', true) = 'true' AS "hasEndedItself"`;

/**
 * Throws if the credential has ended since the guard looked it up, or if it, its user or its organisation may
 * less than then. A transaction that ends the credential waits for this one, and then sees what this one
 * wrote. Ask after the work: transactions that end credentials lock their user first, and so may the work.
 */
export async function assertCallerStands(manager: EntityManager, caller: JudgedCaller): Promise<void> {
  const { kind, id } = caller.credential;
  const [row] = await manager.query<Answer[]>(STANDING, [kind, id]);
  const standing = row?.standing ?? undefined;
  if (standing === undefined && row?.hasEndedItself === true) return;
  if (standing === undefined || !standing.isEnabled || standing.isSuspended) throw unknownCredential();
  const { roles = caller.roles, whitelist = null, operations, reachesBeneath = true } = standing;
  const refusal = addressRefusal({ whitelist, kind }, () => caller.ip);
  if (refusal !== undefined) throw refusal;
  const keeps = (now: readonly string[], then: readonly string[]) => then.every((one) => now.includes(one));
  const isAsWide =
    keeps(roles, caller.roles) &&
    keeps(operations ?? [], operations === undefined ? [] : (caller.operations ?? [])) &&
    (reachesBeneath || !caller.reachesBeneath);
  if (!isAsWide) throw new AccessDenied();
}
