/** Too much work of one kind runs or waits: HTTP 503 with `Retry-After`. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';

  constructor(
    readonly retryAfterSeconds: number,
    message = 'Too much work of this kind is waiting already',
  ) {
    super(message);
  }
}

export interface ConcurrencyLimits {
  /** Maximum running work. */
  limit: number;
  /** Maximum work that waits for a permit; further work is refused at once. */
  maxWaiting: number;
  /** Maximum wait for a permit, in milliseconds. */
  maxWaitMs: number;
}

/** The share of one kind of work that a client, or a group of clients, may use. */
export interface Quota {
  /**
   * Identifies the client. Begin it with the client's kind, so that keys of different kinds never collide.
   */
  readonly key: string;
  /** Maximum running work. Further work waits even if permits are free. */
  readonly maxRunning?: number;
  /** Maximum running and waiting work together; further work is refused at once. */
  readonly maxPending?: number;
  /** Whether its waiting work leaves a full queue to make room for others. */
  readonly givesWay?: boolean;
}

export interface Load {
  readonly running: number;
  readonly waiting: number;
  /** Work that was refused since the start, at once or after its wait. */
  readonly refused: number;
}

/** What running work may ask about the others. */
export interface Competition {
  /** Whether other work waits that could run if the calling work ended. */
  readonly hasWaiting: () => boolean;
  /** How much work of its widest group runs, itself included. */
  readonly runningOfGroup: () => number;
}

interface Waiting {
  readonly client: Group;
  readonly admit: () => void;
  readonly refuse: () => void;
}

/**
 * Runs work, at most `limit` at once. Clients take turns, in each group of clients; the work of one
 * client runs in order of arrival. If the queue is full, the group with the most waiting work gives up
 * its newest for a group with less.
 */
export class ConcurrencyLimiter {
  private readonly all: Group;
  private refused = 0;

  constructor(private readonly limits: ConcurrencyLimits) {
    this.all = new Group({ key: 'all', maxRunning: limits.limit });
  }

  get load(): Load {
    return { running: this.all.running, waiting: this.all.waiting, refused: this.refused };
  }

  /**
   * Throws TooBusy before the work has started.
   * @param quotas of the client, from the widest group to the client itself
   */
  async run<T>(work: (competition: Competition) => Promise<T>, quotas: readonly Quota[] = []): Promise<T> {
    const client = this.all.below(quotas);
    await this.acquire(client);
    try {
      return await work({
        hasWaiting: () => this.hasWaiting(client),
        runningOfGroup: () => client.path[1]?.running ?? this.all.running,
      });
    } finally {
      client.count({ running: -1, pending: -1 });
      this.admitNext();
    }
  }

  private acquire(client: Group): Promise<void> {
    if (client.path.some(({ isFull }) => isFull)) return Promise.reject(this.tooBusy());
    if (client.path.every(({ mayRun }) => mayRun)) {
      client.count({ running: 1, pending: 1 });
      return Promise.resolve();
    }
    if (this.all.waiting >= this.limits.maxWaiting && !this.makeRoomFor(client)) {
      return Promise.reject(this.tooBusy());
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        client.queue.delete(waiting);
      };
      const waiting: Waiting = {
        client,
        admit: () => {
          leave();
          client.count({ running: 1 });
          resolve();
        },
        refuse: () => {
          leave();
          client.count({ pending: -1 });
          reject(this.tooBusy());
        },
      };
      const timer = setTimeout(waiting.refuse, this.limits.maxWaitMs);
      client.queue.add(waiting);
      client.count({ pending: 1 });
    });
  }

  /** Gives permits to the next in the queue, so that no newcomer takes them in between. */
  private admitNext(): void {
    for (let next = this.all.next(); next !== undefined; next = this.all.next()) next.admit();
  }

  private hasWaiting(client: Group): boolean {
    for (const group of client.path) group.running--;
    const next = this.all.next();
    for (const group of client.path) group.running++;
    return next !== undefined;
  }

  private makeRoomFor(newcomer: Group): boolean {
    const [, own] = newcomer.path;
    if (own?.quota.givesWay === true) return false;
    const longest = this.all.longest();
    if (longest === undefined) return false;
    if (longest.quota.givesWay !== true && longest.waiting <= (own?.waiting ?? 0) + 1) return false;
    longest.newest()?.refuse();
    return true;
  }

  private tooBusy(): TooBusy {
    this.refused += 1;
    return new TooBusy(Math.max(1, Math.ceil(this.limits.maxWaitMs / 1000)));
  }
}

/** The work of a client, or of a group of clients. */
class Group {
  running = 0;
  pending = 0;
  /** Waiting work of the client itself, in order of arrival. */
  readonly queue = new Set<Waiting>();
  /** From the widest group to this one. */
  readonly path: readonly Group[];
  /** Narrower groups with work, by their keys. */
  private readonly groups = new Map<string, Group>();
  /** Narrower groups with waiting work, in the order of their turns. */
  private readonly line = new Set<Group>();

  constructor(
    readonly quota: Quota,
    private readonly wider?: Group,
  ) {
    this.path = [...(wider?.path ?? []), this];
  }

  get waiting(): number {
    return this.pending - this.running;
  }

  get mayRun(): boolean {
    return this.running < (this.quota.maxRunning ?? Infinity);
  }

  get isFull(): boolean {
    return this.pending >= (this.quota.maxPending ?? Infinity);
  }

  /** The group of these quotas below this one; the widest quota comes first. */
  below([quota, ...narrower]: readonly Quota[]): Group {
    if (quota === undefined) return this;
    return (this.groups.get(quota.key) ?? new Group(quota, this)).below(narrower);
  }

  /** Counts for this group and all wider ones. */
  count({ running = 0, pending = 0 }: { readonly running?: number; readonly pending?: number }): void {
    const hadTurn = running > pending;
    for (const group of this.path) {
      group.running += running;
      group.pending += pending;
      group.wider?.keep(group, hadTurn);
    }
  }

  next(): Waiting | undefined {
    if (!this.mayRun) return undefined;
    const [first] = this.queue;
    if (first !== undefined) return first;
    for (const group of this.line) {
      const next = group.next();
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /**
   * The narrower group with the most waiting work, the last one of equals. A group that gives
   * way comes before all others.
   */
  longest(): Group | undefined {
    const lengthOf = ({ quota, waiting }: Group): number => (quota.givesWay === true ? Infinity : waiting);
    return [...this.line].reduce<Group | undefined>(
      (longest, group) => (longest === undefined || lengthOf(group) >= lengthOf(longest) ? group : longest),
      undefined,
    );
  }

  /** The newest waiting work of the client with the most waiting work. */
  newest(): Waiting | undefined {
    return [...this.queue].at(-1) ?? this.longest()?.newest();
  }

  /** Keeps a group while it has work. After its turn it goes to the end of the line. */
  private keep(group: Group, hadTurn: boolean): void {
    if (hadTurn || group.waiting === 0) this.line.delete(group);
    if (group.waiting > 0) this.line.add(group);
    if (group.pending > 0) this.groups.set(group.quota.key, group);
    else this.groups.delete(group.quota.key);
  }
}
