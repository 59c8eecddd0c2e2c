import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/security/access/caller';
import { type CustomerLimit, CustomerLimits } from '@app/security/customers/customer-limits';
import { Throttler } from '@app/security/throttling/throttler';

/** In seconds. */
const HOUR = 3600;

/**
 * Maximum grants that a customer gives, raises or prolongs in an hour, whatever organisations give them.
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

  /** Throws 429 past the bound. Call it after the locks on organisations and the grant. */
  async count(manager: EntityManager, caller: Caller): Promise<void> {
    const limits = await this.customerLimits.within(manager, caller, [BY_CUSTOMER]);
    if (limits.length > 0) await this.throttler.reserveWithin(manager, limits, HOUR);
  }
}
