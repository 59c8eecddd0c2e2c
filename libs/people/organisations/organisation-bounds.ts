import { Injectable } from '@nestjs/common';
import { actsForOperator } from '@app/security/access/acts-for-operator';
import type { Caller } from '@app/security/access/caller';
import { Throttler } from '@app/security/throttling/throttler';

/** In seconds. */
const HOUR = 3600;

/**
 * Maximum organisations that the people and keys of one make in an hour (rule organisations 49): a reseller
 * that moves its customers in by a program comes that far.
 */
const MOST_MADE = 1000;

/** Counts new organisations before they wait for the tree. */
@Injectable()
export class OrganisationBounds {
  constructor(private readonly throttler: Throttler) {}

  /** Makes an organisation, and counts it unless that fails. Throws 429 past the bound. */
  async counted<Result>(caller: Caller, make: () => Promise<Result>): Promise<Result> {
    if (actsForOperator(caller)) return make();
    const bucket = ['organisations by', caller.organisationId] as const;
    const counted = await this.throttler.reserve([{ bucket, most: MOST_MADE }], HOUR);
    try {
      return await make();
    } catch (error) {
      await this.throttler.giveBack(counted);
      throw error;
    }
  }
}
