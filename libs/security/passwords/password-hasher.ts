import {
  ConcurrencyLimiter,
  ConcurrencyLimits,
  type Load,
  type Fairness,
  QUEUES,
} from '@app/platform/concurrency/concurrency-limiter';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type * as jobs from './hashing-worker.cjs';
import { timingSafeEqual } from 'node:crypto';
import { inSpan } from '@app/platform/observability/tracing';
import { CryptHash, oldCryptDigest, OldCryptHash, parseCryptHash } from './crypt-hash';
import { exceedsPasswordBytes, PASSWORD_MAX_BYTES } from './password-rules';

/*
 * Fairness of the hashing queue: clients take turns, so a busy one waits for itself, and each may fill only a part of the queue
 * (64 may wait), so that others find room.
 */

/** Guesses of strangers from one network that may run or wait: half of the queue. */
const MAX_OF_NETWORK = 32;
/** The same of one organisation: of its users, and of registrations with its invitations. */
const MAX_OF_ORGANISATION = 24;
/** The same of one user. */
const MAX_OF_USER = 16;

/** A guess from a network that is not known for the user. */
export const strangerAt = (network: string, name: string): Fairness => ({
  path: [`network ${network}`, name],
  quotas: [{ key: `network ${network}`, maxPending: MAX_OF_NETWORK }],
});

/** A user who is logged in, or comes from a known network; or the holder of a service key. */
export const knownUser = (organisationId: number, userId: number | string): Fairness => ({
  path: [`organisation ${organisationId}`, `user ${userId}`],
  quotas: [
    { key: `organisation ${organisationId}`, maxPending: MAX_OF_ORGANISATION },
    { key: `user ${userId}`, maxPending: MAX_OF_USER },
  ],
});

/** Somebody with an invitation of an organisation. */
export const invitedBy = (organisationId: number): Fairness => ({
  path: [`organisation ${organisationId}`, 'invited'],
  quotas: [{ key: `organisation ${organisationId}`, maxPending: MAX_OF_ORGANISATION }],
});

type HashingJobs = typeof jobs;

/**
 * Threads that hash passwords: one per core, since more would only make each hash slower. The first hashes start them and
 * they stay. Further work waits in order of arrival; the limiter of PasswordHasher bounds it.
 */
export class HashingThreads {
  private readonly pool: Piscina;
  private closed = false;

  constructor(threads = availableParallelism()) {
    this.pool = new Piscina({
      filename: join(__dirname, 'hashing-worker.cjs'),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      env: {},
      execArgv: [],
    });
  }

  async run<Name extends keyof HashingJobs>(
    name: Name,
    input: Parameters<HashingJobs[Name]>[0],
  ): Promise<ReturnType<HashingJobs[Name]>> {
    if (this.closed) throw new Error('The hashing threads are stopped');
    return (await this.pool.run(input, { name })) as ReturnType<HashingJobs[Name]>;
  }

  /** Stops the threads; work under way fails. */
  async close(): Promise<void> {
    this.closed = true;
    await this.pool.destroy();
  }
}

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

/** Salt and digest of an unknown password, valid after any cost. */
const DUMMY_SALT_AND_DIGEST = 'q8Zl3CwTzVbVn0WvKqkGyuPYwWbhGnJNVyN5Qm1nZVx0eUuJcQy7K';

/**
 * Hashes passwords with bcrypt and checks them against bcrypt and the schemes of the previous panel, in threads. Every method
 * throws `TooBusy` when the queue, or the origin's part of it, is full.
 */
export class PasswordHasher {
  private readonly threads: HashingThreads;
  private readonly limiter: ConcurrencyLimiter;

  /**
   * @param cost of new bcrypt hashes, 4 to 15: the base-two logarithm of the rounds (`BCRYPT_COST`)
   * @param processes number of processes that share the cores
   */
  constructor(
    private readonly cost: number,
    limits: Partial<ConcurrencyLimits> = {},
    processes = 1,
  ) {
    const threads = Math.max(1, Math.floor(availableParallelism() / processes));
    this.threads = new HashingThreads(threads);
    // Twice the threads, so that none is idle between two hashes of one check.
    this.limiter = new ConcurrencyLimiter({ ...QUEUES.hashing, limit: 2 * threads, ...limits });
  }

  /** Passwords that are hashed and that wait. */
  get load(): Load {
    return this.limiter.load;
  }

  /** @throws PasswordTooLong */
  async hash(password: string, fairness?: Fairness): Promise<string> {
    if (exceedsPasswordBytes(password)) throw new PasswordTooLong();
    const run = (): Promise<string> =>
      this.limiter.run(() => this.threads.run('bcryptHash', { password, cost: this.cost }), fairness);
    return inSpan('hash password', {}, run);
  }

  /**
   * A wrong password costs at least the work of `spendEqualTime`, whatever the scheme: the time does not reveal accounts of the
   * previous panel. Text that is not a hash matches nothing.
   */
  async verify(password: string, stored: string, fairness?: Fairness): Promise<PasswordVerdict> {
    const hash = parseCryptHash(stored);
    const outdated = !hash || this.isOutdated(hash);
    if (exceedsPasswordBytes(password)) return { matches: false, outdated };
    const run = async (): Promise<PasswordVerdict> => {
      const matches = hash !== undefined && (await this.compare(password, stored, hash));
      if (!matches) await this.makeUpWork(password, hash);
      return { matches, outdated };
    };
    return inSpan('check password', {}, () => this.limiter.run(run, fairness));
  }

  /** The work of a wrong password, for a user name that does not exist. */
  async spendEqualTime(password: string, fairness?: Fairness): Promise<void> {
    if (exceedsPasswordBytes(password)) return;
    const run = (): Promise<void> => this.compareWithDummy(password, this.cost);
    await inSpan('check password', {}, () => this.limiter.run(run, fairness));
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

  /** The costs c, c, c+1, … below the configured cost add up to the work of that cost. */
  private async makeUpWork(password: string, spent: CryptHash | undefined): Promise<void> {
    if (spent?.scheme !== 'bcrypt') return this.compareWithDummy(password, this.cost);
    for (let cost = spent.cost; cost < this.cost; cost++) await this.compareWithDummy(password, cost);
  }

  private async compareWithDummy(password: string, cost: number): Promise<void> {
    const hash = `$2b$${String(cost).padStart(2, '0')}$${DUMMY_SALT_AND_DIGEST}`;
    await this.threads.run('bcryptCompare', { password, hash });
  }
}
