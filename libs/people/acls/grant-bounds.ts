import { Injectable } from '@nestjs/common';
import { actsForOperator } from '@app/security/access/acts-for-operator';
import type { Caller } from '@app/security/access/caller';
import { type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';
import type { GrantAccess } from './grant.types';

/** In seconds. */
const HOUR = 3600;

/** Maximum grants that begin to manage or manage for longer in an hour, for each giver (rule grants 69). */
const MOST_TO_MANAGE = 30;

/**
 * Maximum grants that the users and keys of one organisation give, raise or prolong in an hour, whatever
 * organisations give them. Who makes organisations would have the bound of each giver.
 */
const MOST_OF_ORGANISATION = 60;

/** Counts grants before they begin or last longer. Nothing is counted under a lock on a grant. */
@Injectable()
export class GrantBounds {
  constructor(private readonly throttler: Throttler) {}

  /**
   * Does what lets the grantee read or manage, and counts it unless it has no effect. Throws
   * 429 past a bound.
   */
  async counted<Result>(
    caller: Caller,
    organisationId: number,
    access: GrantAccess,
    work: () => Promise<Result>,
    hasEffect: (result: Result) => boolean = () => true,
  ): Promise<Result> {
    const limits = limitsOf(caller, organisationId, access);
    if (limits.length === 0) return work();
    const counted = await this.throttler.reserve(limits, HOUR);
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      await this.throttler.giveBack(counted);
      throw error;
    }
    if (!hasEffect(result)) await this.throttler.giveBack(counted);
    return result;
  }
}

function limitsOf(caller: Caller, organisationId: number, access: GrantAccess): ThrottleLimit[] {
  return [
    ...(access === 'manage'
      ? [{ bucket: ['grants to manage', organisationId] as const, most: MOST_TO_MANAGE }]
      : []),
    ...(actsForOperator(caller)
      ? []
      : [{ bucket: ['grants by', caller.organisationId] as const, most: MOST_OF_ORGANISATION }]),
  ];
}
