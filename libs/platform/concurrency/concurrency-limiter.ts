/** Too much work of one kind runs or waits: HTTP 503 with `Retry-After`. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';

  constructor(readonly retryAfterSeconds: number) {
    super('Too much work of this kind is waiting already');
  }
}

export interface ConcurrencyLimits {
  /** Most work that runs at once. */
  limit: number;
  /** Most work that waits for a permit; more is refused at once. */
  maxWaiting: number;
  /** Longest wait for a permit, in milliseconds. */
  maxWaitMs: number;
}

/**
 * The queues of the three kinds of work. A queue holds no connection and no body, so that its length costs little memory:
 * the wait is what bounds it. A write waits no longer than for a connection, since its COMMIT needs the rest of the
 * answer time. Heavy work is what holds a connection or tens of MB for long: large reads, csv, files, changes of the tree.
 * Hashing fills its wait with 64 at cost 12 on two cores.
 */
export const QUEUES = {
  writes: { maxWaiting: 500, maxWaitMs: 2500 },
  heavy: { maxWaiting: 100, maxWaitMs: 5000 },
  hashing: { maxWaiting: 64, maxWaitMs: 5000 },
} as const satisfies Record<string, Omit<ConcurrencyLimits, 'limit'>>;

/** A bound on the work of one client: a user, an organisation, a network. */
interface Quota {
  /** The client. Begin it with the client's kind, so that keys of different kinds stay apart. */
  readonly key: string;
  /** Most work that runs at once; more waits even while permits are free. */
  readonly maxRunning?: number;
  /** Most work that runs and waits together; more is refused at once. */
  readonly maxPending?: number;
}

/** Keeps one client from crowding out the others. */
export interface Fairness {
  /** Client keys from the widest group to the narrowest. Groups take turns on each level. */
  readonly path?: readonly string[];
  readonly quotas?: readonly Quota[];
}

/** Clients take turns, and each has one quota. */
export const fairTo = (key: string, quota: Omit<Quota, 'key'>): Fairness => ({
  path: [key],
  quotas: [{ key, ...quota }],
});

export interface Load {
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  readonly quotas: readonly Quota[];
  readonly admit: () => void;
}

interface Use {
  running: number;
  pending: number;
}

/** Runs work, at most `limit` at once. Clients take turns; work of one client runs in order of arrival. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue = new FairQueue<Waiting>();
  private readonly uses = new Map<string, Use>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  get load(): Load {
    return { running: this.running, waiting: this.queue.size };
  }

  /** Throws TooBusy before the work has started. */
  async run<T>(work: () => Promise<T>, { path = [], quotas = [] }: Fairness = {}): Promise<T> {
    await this.acquire(path, quotas);
    try {
      return await work();
    } finally {
      this.release(quotas);
    }
  }

  private acquire(path: readonly string[], quotas: readonly Quota[]): Promise<void> {
    if (quotas.some(({ key, maxPending = Infinity }) => this.useOf(key).pending >= maxPending)) {
      return Promise.reject(this.tooBusy());
    }
    if (this.running < this.limits.limit && this.mayRun(quotas)) {
      this.count(quotas, 'pending', 1);
      this.start(quotas);
      return Promise.resolve();
    }
    if (this.queue.size >= this.limits.maxWaiting) return Promise.reject(this.tooBusy());
    this.count(quotas, 'pending', 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.queue.remove(path, waiting);
        this.count(quotas, 'pending', -1);
        reject(this.tooBusy());
      }, this.limits.maxWaitMs);
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { quotas, admit };
      this.queue.add(path, waiting);
    });
  }

  /** Hands the permit to the next in the queue, so that no newcomer takes it in between. */
  private release(quotas: readonly Quota[]): void {
    this.running--;
    this.count(quotas, 'running', -1);
    this.count(quotas, 'pending', -1);
    while (this.running < this.limits.limit) {
      const next = this.queue.take((waiting) => this.mayRun(waiting.quotas));
      if (next === undefined) return;
      this.start(next.quotas);
      next.admit();
    }
  }

  private start(quotas: readonly Quota[]): void {
    this.running++;
    this.count(quotas, 'running', 1);
  }

  private mayRun(quotas: readonly Quota[]): boolean {
    return quotas.every(({ key, maxRunning = Infinity }) => this.useOf(key).running < maxRunning);
  }

  private useOf(key: string): Readonly<Use> {
    return this.uses.get(key) ?? { running: 0, pending: 0 };
  }

  private count(quotas: readonly Quota[], what: keyof Use, by: 1 | -1): void {
    for (const { key } of quotas) {
      const use = { ...this.useOf(key) };
      use[what] += by;
      if (use.pending === 0) this.uses.delete(key);
      else this.uses.set(key, use);
    }
  }

  private tooBusy(): TooBusy {
    return new TooBusy(Math.max(1, Math.ceil(this.limits.maxWaitMs / 1000)));
  }
}

/** A queue whose groups take turns on every level of their path; a group keeps the order of arrival. */
class FairQueue<Item> {
  private readonly items = new Set<Item>();
  private readonly groups = new Map<string, FairQueue<Item>>();
  size = 0;

  add([group, ...rest]: readonly string[], item: Item): void {
    this.size++;
    if (group === undefined) {
      this.items.add(item);
      return;
    }
    const queue = this.groups.get(group) ?? new FairQueue<Item>();
    this.groups.set(group, queue);
    queue.add(rest, item);
  }

  /** Removes and returns the next item that is ready. */
  take(isReady: (item: Item) => boolean): Item | undefined {
    for (const item of this.items) {
      if (!isReady(item)) continue;
      this.items.delete(item);
      this.size--;
      return item;
    }
    for (const [name, queue] of this.groups) {
      const item = queue.take(isReady);
      if (item === undefined) continue;
      this.size--;
      // The group goes to the end of the line.
      this.groups.delete(name);
      if (queue.size > 0) this.groups.set(name, queue);
      return item;
    }
    return undefined;
  }

  /** Removes an item that was added with the same path, if it still waits. */
  remove([group, ...rest]: readonly string[], item: Item): boolean {
    const queue = group === undefined ? undefined : this.groups.get(group);
    const removed = group === undefined ? this.items.delete(item) : (queue?.remove(rest, item) ?? false);
    if (removed) this.size--;
    if (group !== undefined && queue?.size === 0) this.groups.delete(group);
    return removed;
  }
}
