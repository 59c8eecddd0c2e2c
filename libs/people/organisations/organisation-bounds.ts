import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/security/access/caller';
import { type CustomerLimit, CustomerLimits } from '@app/security/customers/customer-limits';

/** A reseller that moves its customers in by a program comes that far (rule organisations 20). */
const MADE: CustomerLimit = {
  name: 'organisations made',
  counts: 'new organisations',
  most: 1000,
  per: 'hour',
};

/** Changes of a parent or reseller link (rule organisations 20). */
const MOVED: CustomerLimit = {
  name: 'organisations moved',
  counts: 'moves of organisations',
  most: 1000,
  per: 'hour',
};

/** Counts new organisations and moves before they wait for the tree. */
@Injectable()
export class OrganisationBounds {
  constructor(private readonly limits: CustomerLimits) {
    limits.open(MADE);
    limits.open(MOVED);
  }

  /** Makes an organisation, and counts it unless that fails. Throws 429 past the bound. */
  made<Result>(caller: Caller, make: () => Promise<Result>): Promise<Result> {
    return this.limits.counted(caller, [[MADE]], make);
  }

  /** Moves an organisation, and counts it unless that fails. Throws 429 past the bound. */
  moved<Result>(caller: Caller, move: () => Promise<Result>): Promise<Result> {
    return this.limits.counted(caller, [[MOVED]], move);
  }
}
