import { availableParallelism } from 'node:os';
import type { Amount, Bounds, Bulkhead, Quotas } from './bulkhead';
import { type Competition, ConcurrencyLimiter, type Load, type Quota } from './concurrency-limiter';

/**
 * The client of some work: a member of a part of a group, a stranger in a network, or undefined
 * for the service itself.
 */
export type Client =
  | {
      readonly group: string;
      readonly part: string;
      readonly member: string;
    }
  | {
      readonly network: string;
      /** The name for which a stranger asks. */
      readonly name?: string;
    }
  | undefined;

/** Shares of permits and queue that a client may use; the rest is for others. */
const HALF = 0.5;
const QUARTER = 0.25;

/** The bounds of a client in a process. */
type ClientBounds = Pick<Quota, 'maxRunning' | 'maxPending'>;

type ClientQuotas = Readonly<Partial<Record<keyof Quotas, ClientBounds>>>;

/**
 * Runs the work of a bulkhead. Groups take turns, so do the parts of a group, and the members of a part. All
 * strangers together are one group, in which networks take turns. Unless the bulkhead says otherwise, a group
 * and all strangers use at most half of permits and queue, a member a quarter of the permits, and a network
 * of strangers a quarter of both. Strangers leave a full queue when others come.
 */
export class FairLimiter {
  /** Most work at once. */
  readonly limit: number;
  private readonly limiter: ConcurrencyLimiter;
  private readonly quotas: ClientQuotas;

  /** @param connections of the pool for requests, of which some bulkheads have a share */
  constructor(
    readonly bulkhead: Bulkhead,
    connections: number,
  ) {
    const { maxWaiting } = bulkhead.queue;
    this.limit = countOf(bulkhead.permits, connections);
    this.limiter = new ConcurrencyLimiter({ ...bulkhead.queue, limit: this.limit });
    const own = Object.entries(bulkhead.quotas ?? {}).map(([who, bounds]: [string, Bounds]) => [
      who,
      { ...bounds, maxRunning: bounds.maxRunning && countOf(bounds.maxRunning, connections) },
    ]);
    this.quotas = { ...usualQuotas(this.limit, maxWaiting), ...(Object.fromEntries(own) as ClientQuotas) };
  }

  get load(): Load {
    return this.limiter.load;
  }

  /** Throws TooBusy before the work has started. */
  run<T>(client: Client, work: (competition: Competition) => Promise<T>): Promise<T> {
    return this.limiter.run(work, quotasOf(client, this.quotas));
  }
}

/** What an amount is in this process, at least one. */
function countOf(amount: Amount, connections: number): number {
  if (typeof amount === 'number') return amount;
  if ('perCore' in amount) return amount.perCore * availableParallelism();
  return Math.max(1, Math.floor(connections * amount.ofPool));
}

function usualQuotas(limit: number, maxWaiting: number): ClientQuotas {
  const quota = (ofPermits: number, ofQueue: number): ClientBounds => ({
    maxRunning: Math.ceil(limit * ofPermits),
    maxPending: Math.ceil(maxWaiting * ofQueue),
  });
  return {
    group: quota(HALF, HALF),
    member: quota(QUARTER, HALF),
    strangers: quota(HALF, HALF),
    network: quota(QUARTER, QUARTER),
  };
}

/** From the widest group to the client. */
function quotasOf(client: Client, quotas: ClientQuotas): readonly Quota[] {
  if (client === undefined) return [{ key: 'service' }];
  if ('group' in client) {
    return [
      { key: client.group, ...quotas.group },
      { key: client.part },
      { key: client.member, ...quotas.member },
    ];
  }
  const { network, name } = client;
  return [
    { key: 'strangers', givesWay: true, ...quotas.strangers },
    { key: network, ...quotas.network },
    ...(name === undefined ? [] : [{ key: name }]),
  ];
}
