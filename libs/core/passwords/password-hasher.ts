import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  ConcurrencyLimiter,
  ConcurrencyLimits,
  type Load,
  type Origin,
} from '../concurrency/concurrency-limiter';
import { inSpan } from '../tracing/current-span';
import { CryptHash, OldCryptHash, parseCryptHash } from './crypt-hash';
import { HashingThreads } from './hashing-threads';
import { oldCryptDigest } from './old-crypt';
import { PASSWORD_MAX_BYTES, exceedsPasswordBytes } from './password-rules';

/** bcrypt would silently cut this password: refuse it before hashing. */
export class PasswordTooLong extends Error {
  override readonly name = 'PasswordTooLong';

  constructor() {
    super(`The password takes more than ${PASSWORD_MAX_BYTES} bytes in UTF-8`);
  }
}

export interface PasswordVerdict {
  matches: boolean;
  /** The stored hash has another scheme or a lower cost than the service's own: replace it after a match. */
  outdated: boolean;
}

/** Salt and digest of no password that anyone knows; any cost can stand before it. */
const DUMMY_SALT_AND_DIGEST = 'q8Zl3CwTzVbVn0WvKqkGyuPYwWbhGnJNVyN5Qm1nZVx0eUuJcQy7K';

const DEFAULT_LIMITS: Omit<ConcurrencyLimits, 'limit'> = {
  // 64 waiting at cost 12 on two cores: seven seconds of work, so the time below ends the wait first.
  maxWaiting: 64,
  maxWaitMs: 5000,
};

/**
 * Hashes passwords with bcrypt and checks them against bcrypt and the older schemes of the previous panel, off the
 * event loop, so many at once as there are cores. Every method throws `TooBusy` when too much waits already, of all or
 * of the origin; libs/core/passwords/hashing-origins.ts has the origins.
 */
export class PasswordHasher {
  private readonly threads: HashingThreads;
  private readonly limiter: ConcurrencyLimiter;

  /**
   * @param cost of new bcrypt hashes, 4 to 15: the base-two logarithm of the rounds (`BCRYPT_COST`)
   * @param processes that share the cores
   */
  constructor(
    private readonly cost: number,
    limits: Partial<ConcurrencyLimits> = {},
    processes = 1,
  ) {
    const threads = Math.max(1, Math.floor(availableParallelism() / processes));
    this.threads = new HashingThreads(threads);
    // Twice as many as there are threads to hash, so that no thread is idle between two hashes of one check.
    this.limiter = new ConcurrencyLimiter({ ...DEFAULT_LIMITS, limit: 2 * threads, ...limits });
  }

  /** How many passwords are hashed and wait for it at the moment. */
  get load(): Load {
    return this.limiter.load;
  }

  /** @throws PasswordTooLong */
  async hash(password: string, origin?: Origin): Promise<string> {
    if (exceedsPasswordBytes(password)) throw new PasswordTooLong();
    const run = (): Promise<string> =>
      this.limiter.run(() => this.threads.run('bcryptHash', { password, cost: this.cost }), origin);
    return inSpan('hash password', {}, run);
  }

  /**
   * A wrong password costs at least the work of `spendEqualTime`, however the hash was made, so that the time does not tell
   * which accounts came from the previous panel. Text that is no hash matches nothing.
   */
  async verify(password: string, stored: string, origin?: Origin): Promise<PasswordVerdict> {
    const hash = parseCryptHash(stored);
    const outdated = !hash || this.isOutdated(hash);
    if (exceedsPasswordBytes(password)) return { matches: false, outdated };
    const run = async (): Promise<PasswordVerdict> => {
      const matches = hash !== undefined && (await this.compare(password, stored, hash));
      if (!matches) await this.makeUpWork(password, hash);
      return { matches, outdated };
    };
    return inSpan('check password', {}, () => this.limiter.run(run, origin));
  }

  /** The work of a wrong password, for a user name that does not exist. */
  async spendEqualTime(password: string, origin?: Origin): Promise<void> {
    if (exceedsPasswordBytes(password)) return;
    const run = (): Promise<void> => this.compareWithDummy(password, this.cost);
    await inSpan('check password', {}, () => this.limiter.run(run, origin));
  }

  /** Stops the threads. */
  async close(): Promise<void> {
    await this.threads.close();
  }

  private isOutdated(hash: CryptHash): boolean {
    return hash.scheme !== 'bcrypt' || hash.revision !== 'b' || hash.cost < this.cost;
  }

  private async compare(password: string, stored: string, hash: CryptHash): Promise<boolean> {
    if (hash.scheme !== 'bcrypt') return this.compareOldCrypt(password, hash);
    // The bcrypt package does not know `$2y$`, PHP's name for the same algorithm.
    return this.threads.run('bcryptCompare', { password, hash: stored.replace(/^\$2y\$/, '$2b$$') });
  }

  private async compareOldCrypt(password: string, hash: OldCryptHash): Promise<boolean> {
    const digest = await oldCryptDigest(password, hash, (input) => this.threads.run('cryptRounds', input));
    return timingSafeEqual(Buffer.from(digest), Buffer.from(hash.digest));
  }

  /** A bcrypt of cost c and then c, c+1, … up to below the configured cost are together the work of that cost. */
  private async makeUpWork(password: string, spent: CryptHash | undefined): Promise<void> {
    if (spent?.scheme !== 'bcrypt') return this.compareWithDummy(password, this.cost);
    for (let cost = spent.cost; cost < this.cost; cost++) await this.compareWithDummy(password, cost);
  }

  private async compareWithDummy(password: string, cost: number): Promise<void> {
    const hash = `$2b$${String(cost).padStart(2, '0')}$${DUMMY_SALT_AND_DIGEST}`;
    await this.threads.run('bcryptCompare', { password, hash });
  }
}
