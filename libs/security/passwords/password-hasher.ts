import { timingSafeEqual } from 'node:crypto';
import type { Bulkhead } from '@app/platform/concurrency/bulkhead';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import type { Load } from '@app/platform/concurrency/concurrency-limiter';
import type { Client, FairLimiter } from '@app/platform/concurrency/fair-limiter';
import { inSpan } from '@app/platform/observability/tracing';
import {
  ALGORITHMS,
  CryptHash,
  MIN_BCRYPT_COST,
  oldCryptDigest,
  OldCryptHash,
  parseCryptHash,
} from './crypt-hash';
import { HashingThreads } from './hashing-threads';
import { comparedForms, countedForm, exceedsPasswordBytes } from './password-forms';

/**
 * Twice the threads, so that no thread is idle between two hashes of one check. 64 hashes at cost 12 on two
 * cores use the whole wait. Users have no quota of running hashes, because a hash is short. Strangers cannot
 * take all permits, so that a thread takes a user's password next; they may wait in more than the usual half,
 * because few users wait, and strangers give way to them.
 */
export const HASHING: Bulkhead = {
  name: 'hashing',
  work: 'Passwords that are hashed or checked',
  permits: { perCore: 2 },
  queue: { maxWaiting: 64, maxWaitMs: 5000 },
  quotas: {
    group: { maxPending: 24 },
    member: { maxPending: 16 },
    strangers: { maxRunning: { perCore: 1 }, maxPending: 48 },
    network: { maxPending: 24 },
  },
};

/** The cost at which bcrypt is timed: some milliseconds. */
const MEASURED_COST = 7;

export interface PasswordVerdict {
  matches: boolean;
  /**
   * The stored hash has another scheme or form, or a lower cost, than new hashes: replace it after a match.
   */
  outdated: boolean;
}

/** Salt and digest of an unknown password. They form a valid hash with any cost. */
const DUMMY_SALT_AND_DIGEST = 'q8Zl3CwTzVbVn0WvKqkGyuPYwWbhGnJNVyN5Qm1nZVx0eUuJcQy7K';

/**
 * Hashes passwords with bcrypt in threads, and checks them against bcrypt and the schemes of the previous
 * panel. Every method throws `TooBusy` when the queue or the client's quota is full.
 */
export class PasswordHasher {
  private readonly threads = new HashingThreads();
  private readonly bulkhead: FairLimiter;
  /** bcrypt rounds for each round of an older scheme, measured at its first wrong password. */
  private readonly worth = new Map<OldCryptHash['scheme'], Promise<number>>();

  /** @param cost of new bcrypt hashes, 4 to 15: the base-two logarithm of the rounds (`BCRYPT_COST`) */
  constructor(
    private readonly cost: number,
    bulkheads = new Bulkheads(),
    bulkhead = HASHING,
  ) {
    this.bulkhead = bulkheads.open(bulkhead);
  }

  /** Number of passwords being hashed and queued. */
  get load(): Load {
    return this.bulkhead.load;
  }

  /** Throws for a password that bcrypt would silently truncate. */
  async hash(sent: string, client?: Client): Promise<string> {
    const password = countedForm(sent);
    if (exceedsPasswordBytes(password)) throw new Error('The password is too long for bcrypt');
    const run = (): Promise<string> =>
      this.bulkhead.run(client, () => this.threads.run('bcryptHash', { password, cost: this.cost }));
    return inSpan('hash password', {}, run);
  }

  /**
   * A wrong password costs the same work as `spendEqualTime` for every scheme, so that the time does not
   * reveal accounts of the previous panel. Only a hash with a higher cost takes longer. Text that is not a
   * hash matches nothing. A hash of the decomposed form is outdated.
   */
  async verify(password: string, stored: string, client?: Client): Promise<PasswordVerdict> {
    const hash = parseCryptHash(stored);
    const outdated = !hash || this.isOutdated(hash);
    const forms = comparedForms(password);
    if (forms.length === 0) return { matches: false, outdated };
    const run = async (): Promise<PasswordVerdict> => {
      for (const form of forms) {
        if (hash !== undefined && (await this.compare(form, stored, hash)))
          return { matches: true, outdated: outdated || form !== countedForm(password) };
        await this.makeUpWork(form, hash);
      }
      return { matches: false, outdated };
    };
    return inSpan('check password', {}, () => this.bulkhead.run(client, run));
  }

  /** Does the work of a wrong password, for a user name that does not exist. */
  async spendEqualTime(password: string, client?: Client): Promise<void> {
    const forms = comparedForms(password);
    if (forms.length === 0) return;
    const run = async (): Promise<void> => {
      for (const form of forms) await this.compareWithDummies(form, [this.cost]);
    };
    await inSpan('check password', {}, () => this.bulkhead.run(client, run));
  }

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

  /**
   * Each cost has twice the work of the previous one, so hashes at several costs add up to the
   * rest of the configured cost.
   */
  private async makeUpWork(password: string, spent: CryptHash | undefined): Promise<void> {
    let owed = 2 ** this.cost - (spent === undefined ? 0 : await this.bcryptRoundsOf(spent));
    const costs: number[] = [];
    for (let cost = this.cost; cost >= MIN_BCRYPT_COST; cost--) {
      if (owed < 2 ** cost) continue;
      costs.push(cost);
      owed -= 2 ** cost;
    }
    if (costs.length > 0) await this.compareWithDummies(password, costs);
  }

  /** The number of bcrypt rounds that take as long as a check against the hash. */
  private async bcryptRoundsOf(hash: CryptHash): Promise<number> {
    if (hash.scheme === 'bcrypt') return 2 ** hash.cost;
    const measured = this.worth.get(hash.scheme) ?? this.measure(hash.scheme);
    this.worth.set(hash.scheme, measured);
    return hash.rounds / (await measured);
  }

  private measure(scheme: OldCryptHash['scheme']): Promise<number> {
    return this.threads.run('roundsPerBcryptRound', {
      algorithm: ALGORITHMS[scheme],
      hash: dummyHash(MEASURED_COST),
      bcryptRounds: 2 ** MEASURED_COST,
    });
  }

  private async compareWithDummies(password: string, costs: readonly number[]): Promise<void> {
    await this.threads.run('bcryptWork', { password, hashes: costs.map(dummyHash) });
  }
}

const dummyHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${DUMMY_SALT_AND_DIGEST}`;
