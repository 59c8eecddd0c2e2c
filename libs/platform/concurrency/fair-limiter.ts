import {
  ConcurrencyLimiter,
  type ConcurrencyLimits,
  type IsWanted,
  type Load,
  type Share,
} from './concurrency-limiter';

/** Who asks for work: somebody of an organisation, a stranger in a network, or, undefined, the service itself. */
export type Client =
  | {
      readonly organisationId: number;
      /** Undefined for those whom the organisation has invited. */
      readonly userId?: number | undefined;
    }
  | {
      readonly network: string;
      /** The name that a stranger tries. */
      readonly name?: string;
    }
  | undefined;

type Bounds = Pick<Share, 'maxRunning' | 'maxPending'>;

/** The shares of one kind of work. A client without bounds only takes turns. */
interface Shares {
  readonly organisation?: Bounds;
  readonly user?: Bounds;
  /** All strangers together. */
  readonly strangers?: Bounds;
  /** The strangers of one network. */
  readonly network?: Bounds;
}

/** How work waits: its queue holds no connection and no body, so that the wait bounds it and not memory. */
type Waits = Omit<ConcurrencyLimits, 'limit'>;

/**
 * The queues. A write waits no longer than for a connection, since its COMMIT needs the rest of the answer time. Heavy work
 * holds a connection or tens of MB for long: large reads, csv, files, changes of the tree. Hashing fills its wait with 64 at
 * cost 12 on two cores.
 */
export const QUEUES = {
  writes: { maxWaiting: 500, maxWaitMs: 2500 },
  lists: { maxWaiting: 500, maxWaitMs: 5000 },
  heavy: { maxWaiting: 100, maxWaitMs: 5000 },
  hashing: { maxWaiting: 64, maxWaitMs: 5000 },
} as const satisfies Record<string, Waits>;

/** The most that a client may hold of the permits and of the queue: the rest is there for others. */
const WIDE_PART = 0.5;
const NARROW_PART = 0.25;

/**
 * Runs one kind of work. Organisations take turns, and their users; all strangers together are one group, in which networks take
 * turns. Nobody holds more than a share: half for an organisation and for all strangers, a quarter for a user and for a network,
 * unless `shares` says otherwise. Strangers leave a full queue when others come.
 */
export class FairLimiter {
  private readonly limiter: ConcurrencyLimiter;
  private readonly shares: Shares;

  constructor(limits: ConcurrencyLimits, shares: Shares = {}) {
    this.limiter = new ConcurrencyLimiter(limits);
    this.shares = { ...usualShares(limits), ...shares };
  }

  get load(): Load {
    return this.limiter.load;
  }

  /** Throws TooBusy before the work has started. */
  run<T>(client: Client, work: (isWanted: IsWanted) => Promise<T>): Promise<T> {
    return this.limiter.run(work, sharesOf(client, this.shares));
  }
}

function usualShares({ limit, maxWaiting }: ConcurrencyLimits): Shares {
  const part = (size: number): Bounds => ({
    maxRunning: Math.ceil(limit * size),
    maxPending: Math.ceil(maxWaiting * size),
  });
  const [wide, narrow] = [part(WIDE_PART), part(NARROW_PART)];
  return { organisation: wide, user: narrow, strangers: wide, network: narrow };
}

/** From the widest group to the client. */
function sharesOf(client: Client, shares: Shares): readonly Share[] {
  if (client === undefined) return [{ key: 'service' }];
  if ('organisationId' in client) {
    const { organisationId, userId } = client;
    return [
      { key: `organisation ${organisationId}`, ...shares.organisation },
      { key: `user ${userId ?? 'invited'}`, ...shares.user },
    ];
  }
  const { network, name } = client;
  return [
    { key: 'strangers', givesWay: true, ...shares.strangers },
    { key: network, ...shares.network },
    ...(name === undefined ? [] : [{ key: name }]),
  ];
}
