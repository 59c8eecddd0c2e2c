import {
  ConcurrencyLimiter,
  type ConcurrencyLimits,
  type HasWaiting,
  type Load,
  type Quota,
} from './concurrency-limiter';

/**
 * The client of some work: a member of a group, a stranger in a network, or undefined
 * for the service itself.
 */
export type Client =
  | {
      readonly group: string;
      readonly member: string;
    }
  | {
      readonly network: string;
      /** The name for which a stranger asks. */
      readonly name?: string;
    }
  | undefined;

type Bounds = Pick<Quota, 'maxRunning' | 'maxPending'>;

/** The quotas of one kind of work. A client without quotas only takes turns. */
interface Quotas {
  readonly group?: Bounds;
  readonly member?: Bounds;
  /** All strangers together. */
  readonly strangers?: Bounds;
  /** The strangers of one network. */
  readonly network?: Bounds;
}

/**
 * How work waits. Waiting work holds no connection and no body, so its time limits a queue, not its memory.
 */
type Waits = Omit<ConcurrencyLimits, 'limit'>;

/**
 * The queues. Lists and writes wait long, because refused clients ask again at once, which takes processor
 * time from the work. A write waits no longer than for a connection: its COMMIT needs the rest of the answer
 * time. Heavy work holds a connection or tens of MB for long: large reads, csv, files, changes of the tree.
 */
export const QUEUES = {
  writes: { maxWaiting: 1000, maxWaitMs: 2500 },
  lists: { maxWaiting: 2000, maxWaitMs: 5000 },
  heavy: { maxWaiting: 100, maxWaitMs: 5000 },
} as const satisfies Record<string, Waits>;

/** Shares of permits and queue that a client may use; the rest is for others. */
const HALF = 0.5;
const QUARTER = 0.25;

/**
 * Runs one kind of work. Groups take turns, and so do their members. All strangers together are one group,
 * in which networks take turns. Unless `quotas` says otherwise, a group and all strangers use at most half of
 * permits and queue, a member a quarter of the permits, and a network of strangers a quarter of both.
 * Strangers leave a full queue when others come.
 */
export class FairLimiter {
  private readonly limiter: ConcurrencyLimiter;
  private readonly quotas: Quotas;

  constructor(limits: ConcurrencyLimits, quotas: Quotas = {}) {
    this.limiter = new ConcurrencyLimiter(limits);
    this.quotas = { ...usualQuotas(limits), ...quotas };
  }

  get load(): Load {
    return this.limiter.load;
  }

  /** Throws TooBusy before the work has started. */
  run<T>(client: Client, work: (hasWaiting: HasWaiting) => Promise<T>): Promise<T> {
    return this.limiter.run(work, quotasOf(client, this.quotas));
  }
}

function usualQuotas({ limit, maxWaiting }: ConcurrencyLimits): Quotas {
  const quota = (ofPermits: number, ofQueue: number): Bounds => ({
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
function quotasOf(client: Client, quotas: Quotas): readonly Quota[] {
  if (client === undefined) return [{ key: 'service' }];
  if ('group' in client) {
    return [
      { key: client.group, ...quotas.group },
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
