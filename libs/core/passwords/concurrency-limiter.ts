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

/** Runs work in order of arrival, at most `limit` at once. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** @throws TooBusy without having started the work */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(): Promise<void> {
    if (this.running < this.limits.limit) {
      this.running++;
      return Promise.resolve();
    }
    if (this.waiting.size >= this.limits.maxWaiting) return Promise.reject(this.tooBusy());
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(admit);
        reject(this.tooBusy());
      }, this.limits.maxWaitMs);
      this.waiting.add(admit);
    });
  }

  /** The place goes straight to whoever waits longest, so that no newcomer can take it in between. */
  private leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.running--;
      return;
    }
    this.waiting.delete(next);
    next();
  }

  private tooBusy(): TooBusy {
    return new TooBusy(Math.max(1, Math.ceil(this.limits.maxWaitMs / 1000)));
  }
}
