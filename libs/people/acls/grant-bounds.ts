import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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

/** Counts grants that begin or last longer, in their transaction: a refused one counts for nothing. */
@Injectable()
export class GrantBounds {
  constructor(private readonly throttler: Throttler) {}

  /** Throws 429 past a bound. Call it after the locks on organisations and the grant. */
  async count(
    manager: EntityManager,
    caller: Caller,
    organisationId: number,
    access: GrantAccess,
  ): Promise<void> {
    const limits = limitsOf(caller, organisationId, access);
    if (limits.length > 0) await this.throttler.reserveWithin(manager, limits, HOUR);
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
