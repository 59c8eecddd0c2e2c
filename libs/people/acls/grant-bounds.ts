import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/caller';
import { type CustomerLimit, CustomerLimits } from '@app/security/customers/customer-limits';
import { type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';
import type { GrantAccess } from './grant.types';

/** In seconds. */
const HOUR = 3600;

/** Maximum grants that begin to manage or manage for longer in an hour, for each giver (rule grants 69). */
const MOST_TO_MANAGE = 30;

/**
 * Maximum grants that a customer gives, raises or prolongs in an hour, whatever organisations give them. Who
 * makes organisations would have the bound of each giver.
 */
const BY_CUSTOMER: CustomerLimit = {
  name: 'grants',
  counts: 'grants given, raised or prolonged',
  most: 60,
  per: 'hour',
};

/** Counts grants that begin or last longer, in their transaction: a refused one counts for nothing. */
@Injectable()
export class GrantBounds {
  constructor(
    private readonly throttler: Throttler,
    private readonly customerLimits: CustomerLimits,
  ) {
    customerLimits.open(BY_CUSTOMER);
  }

  /** Throws 429 past a bound. Call it after the locks on organisations and the grant. */
  async count(
    manager: EntityManager,
    caller: Caller,
    organisationId: number,
    access: GrantAccess,
  ): Promise<void> {
    const limits: readonly ThrottleLimit[] = [
      ...(access === 'manage'
        ? [{ bucket: ['grants to manage', organisationId] as const, most: MOST_TO_MANAGE }]
        : []),
      ...(await this.customerLimits.within(manager, caller, [BY_CUSTOMER])),
    ];
    if (limits.length > 0) await this.throttler.reserveWithin(manager, limits, HOUR);
  }
}
