import { TurnQueue } from './turn-queue';

/** Too much of this work is under way: try again in `retryAfterSeconds` (HTTP 503 with `Retry-After`). */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';

  constructor(readonly retryAfterSeconds: number) {
    super('Too much work of this kind is waiting already');
  }
}

export interface ConcurrencyLimits {
  /** How much runs at once. */
  limit: number;
  /** How much may wait for its turn; more is refused at once. */
  maxWaiting: number;
  /** How long it may wait, in milliseconds. */
  maxWaitMs: number;
}

/** A bound on the work of one origin: a user, an organisation, a network. */
export interface Share {
  /** What is counted together. Prefix it with its kind, so that keys of different kinds never meet. */
  readonly key: string;
  /** How much of it runs at once; more waits although there may be room. */
  readonly maxRunning?: number;
  /** How much of it may run and wait together; more is refused at once. */
  readonly maxPlaces?: number;
}

/** Where work comes from, so that one origin cannot crowd out the others. */
export interface Origin {
  /** Groups from the widest to the narrowest: on each level they take turns, however much waits in any of them. */
  readonly turns?: readonly string[];
  readonly shares?: readonly Share[];
}

export interface Load {
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  readonly shares: readonly Share[];
  readonly admit: () => void;
}

interface Use {
  running: number;
  places: number;
}

/** Runs work, at most `limit` at once: origins take turns, within one of them the order is that of arrival. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue = new TurnQueue<Waiting>();
  private readonly uses = new Map<string, Use>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** How much runs and waits at the moment. */
  get load(): Load {
    return { running: this.running, waiting: this.queue.size };
  }

  /** @throws TooBusy without having started the work */
  async run<T>(work: () => Promise<T>, { turns = [], shares = [] }: Origin = {}): Promise<T> {
    await this.enter(turns, shares);
    try {
      return await work();
    } finally {
      this.leave(shares);
    }
  }

  private enter(turns: readonly string[], shares: readonly Share[]): Promise<void> {
    if (shares.some(({ key, maxPlaces = Infinity }) => this.useOf(key).places >= maxPlaces)) {
      return Promise.reject(this.tooBusy());
    }
    if (this.running < this.limits.limit && this.mayRun(shares)) {
      this.count(shares, 'places', 1);
      this.start(shares);
      return Promise.resolve();
    }
    if (this.queue.size >= this.limits.maxWaiting) return Promise.reject(this.tooBusy());
    this.count(shares, 'places', 1);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        shares,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.queue.remove(turns, waiting);
        this.count(shares, 'places', -1);
        reject(this.tooBusy());
      }, this.limits.maxWaitMs);
      this.queue.add(turns, waiting);
    });
  }

  /** The place goes straight to whoever waits, so that no newcomer can take it in between. */
  private leave(shares: readonly Share[]): void {
    this.running--;
    this.count(shares, 'running', -1);
    this.count(shares, 'places', -1);
    while (this.running < this.limits.limit) {
      const next = this.queue.take((waiting) => this.mayRun(waiting.shares));
      if (next === undefined) return;
      this.start(next.shares);
      next.admit();
    }
  }

  private start(shares: readonly Share[]): void {
    this.running++;
    this.count(shares, 'running', 1);
  }

  private mayRun(shares: readonly Share[]): boolean {
    return shares.every(({ key, maxRunning = Infinity }) => this.useOf(key).running < maxRunning);
  }

  private useOf(key: string): Readonly<Use> {
    return this.uses.get(key) ?? { running: 0, places: 0 };
  }

  private count(shares: readonly Share[], what: keyof Use, by: 1 | -1): void {
    for (const { key } of shares) {
      const use = { ...this.useOf(key) };
      use[what] += by;
      if (use.places === 0) this.uses.delete(key);
      else this.uses.set(key, use);
    }
  }

  private tooBusy(): TooBusy {
    return new TooBusy(Math.max(1, Math.ceil(this.limits.maxWaitMs / 1000)));
  }
}
