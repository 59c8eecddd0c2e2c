import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { byKey, DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { actsForOperator } from '../access/acts-for-operator';
import type { Caller } from '../access/caller';
import { type ThrottleLimit, Throttler } from '../throttling/throttler';

/** In seconds. */
const HOUR = 3600;

/**
 * A limit on what the people and keys of one customer do. It stands beside the work; `npm run docs` prints
 * all.
 */
export interface CustomerLimit {
  /** The kind of its counts. */
  readonly name: string;
  /** What it counts, for people. */
  readonly counts: string;
  readonly most: number;
  /** Hours begin with the first count; days are those of UTC. */
  readonly per: 'hour' | 'day';
}

/** A limit with what it counts apart, beside the customer. */
export type CountedLimit = readonly [limit: CustomerLimit, ...of: (string | number)[]];

/** How many times its limits the customer $1 has (the command `limits`). */
const TIMES = byKey<{ times: number }>('SELECT limit_times AS times FROM organisations WHERE id = $1');

/**
 * Counts what a customer does, in all its organisations together: who makes organisations would have the
 * limit of each of them. Nothing is counted for the operator's people and keys (rule organisations 24).
 */
@Injectable()
export class CustomerLimits {
  private readonly limits = new Map<string, CustomerLimit>();

  constructor(
    private readonly throttler: Throttler,
    private readonly queries: DatabaseReads,
  ) {}

  /** By their names. */
  get all(): CustomerLimit[] {
    return [...this.limits.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  open(limit: CustomerLimit): CustomerLimit {
    const known = this.limits.get(limit.name) ?? limit;
    if (known !== limit) throw new Error(`Two limits of customers have the name ${limit.name}`);
    this.limits.set(limit.name, limit);
    return limit;
  }

  /** The limits of the caller's customer, to be counted in a transaction; none for the operator. */
  async within(
    manager: EntityManager,
    caller: Caller,
    ...limits: readonly CountedLimit[]
  ): Promise<ThrottleLimit[]> {
    if (actsForOperator(caller)) return [];
    return limitsOf(caller, limits, { times: await this.timesOf(manager, caller.customerId) });
  }

  /** How many times its limits a customer has. */
  async timesOf(manager: EntityManager, customerId: number): Promise<number> {
    const [row] = await manager.query<{ times: number }[]>(TIMES.text, [customerId]);
    return row?.times ?? 1;
  }

  /** Does some work, and counts it for an hour unless it fails. Throws 429 past a limit. */
  async counted<Result>(
    caller: Caller,
    limits: readonly CountedLimit[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (actsForOperator(caller)) return work();
    const counts = limitsOf(caller, limits, await this.queries.row(TIMES, [caller.customerId]));
    const counted = await this.throttler.reserve(counts, HOUR, inWords(limits));
    try {
      return await work();
    } catch (error) {
      await this.throttler.giveBack(counted);
      throw error;
    }
  }
}

const limitsOf = (
  { customerId }: Caller,
  limits: readonly CountedLimit[],
  customer: { readonly times: number } | undefined,
): ThrottleLimit[] =>
  limits.map(([{ name, most }, ...of]) => ({
    bucket: [name, ...of, 'customer', customerId],
    most: most * (customer?.times ?? 1),
  }));

/** For whom a limit refuses, who may not know how many times it the customer has. */
const inWords = (limits: readonly CountedLimit[]): string =>
  `Your organisations have reached a limit on: ${limits.map(([{ counts }]) => counts).join(', ')}`;
