import { networkOf } from '@app/platform/addresses/ip-address';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter, type Quota, TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import type { Client } from '@app/platform/concurrency/fair-limiter';
import { TooManyRequests } from '@app/platform/errors/api-error';
import type { Caller } from '../access/access.decorators';
import { type ThrottleLimit, Throttler } from '../throttling/throttler';
import { PasswordHasher, type PasswordVerdict } from './password-hasher';

/** Evidence that a guess comes from the user: it is counted apart from those of strangers. */
export interface KnownClient {
  readonly userId: number;
  readonly organisationId: number;
  /**
   * A login that the user presents, the digest of a trusted device's token, or a network from which the user has recently
   * logged in.
   */
  readonly by: 'login' | 'device' | 'network';
  /** The login, device or network. */
  readonly of: string;
}

/** A logged-in user: its guesses count for its login, from whatever networks they come. */
export const byLogin = ({ self, organisationId, credential }: Caller): KnownClient => ({
  userId: self,
  organisationId,
  by: 'login',
  of: String(credential.id),
});

const QUARTER_OF_AN_HOUR = 900;

/** Wrong passwords within a quarter of an hour for one user name (decisions.md section 5). */
const MAX_FROM_ONE_NETWORK = 10;
const MAX_FROM_EVERYWHERE = 100;

/**
 * Guesses at one name that are counted and checked at once: of all strangers together, and of each known network, device and
 * login apart.
 */
const MAX_RUNNING = 2;
/** Guesses at one name that may run or wait: from one network, and of all strangers together. */
const MAX_PLACES_FROM_ONE_NETWORK = 64;
const MAX_PLACES_FROM_EVERYWHERE = 128;
/** Milliseconds that a guess may wait. */
const MAX_WAIT = 10_000;
/** Retry-After in seconds when too many guesses at one name wait. */
const RETRY_AFTER = 1;

/** A password for a user name. */
interface Guess {
  readonly username: string;
  readonly password: string;
  /** The hash of the user's password; undefined for an unknown name. */
  readonly stored: string | undefined;
  readonly address: string;
  /** Absent for a stranger. */
  readonly acquaintance?: KnownClient | undefined;
}

/** The limits that count a guess, its quotas of the gate, and whose turn at hashing it takes. */
interface Account {
  readonly limits: readonly ThrottleLimit[];
  readonly gate: readonly Quota[];
  readonly client: Client;
}

/**
 * Checks passwords under the limit on guesses. A guess passes a gate of its name and network, is counted, and then waits to be
 * hashed: of 200 parallel guesses two wait in the hashing queue, and none past the limit. Because few pass the gate at once,
 * many parallel logins with the right password, each of which resets the count, do not look like guesses.
 */
@Injectable()
export class PasswordChecks {
  /** Bounded by its quotas only: names do not wait for each other here. */
  private readonly gate = new ConcurrencyLimiter({
    limit: Infinity,
    maxWaiting: Infinity,
    maxWaitMs: MAX_WAIT,
  });

  constructor(
    private readonly hasher: PasswordHasher,
    private readonly throttler: Throttler,
  ) {}

  /**
   * Checks a password; with `stored` undefined it fails after as much work. A match resets the counts. Throws 429 past the
   * limit or when too many guesses at the name wait, 503 when the hashing queue is full.
   */
  async check(guess: Guess): Promise<PasswordVerdict> {
    const account = accountOf(guess);
    await this.throttler.refuseLocked(account.limits);
    let isInside = false;
    try {
      return await this.gate.run(() => {
        isInside = true;
        return this.countAndVerify(guess, account);
      }, account.gate);
    } catch (error) {
      throw error instanceof TooBusy && !isInside ? new TooManyRequests(RETRY_AFTER) : error;
    }
  }

  private async countAndVerify(guess: Guess, { limits, client }: Account): Promise<PasswordVerdict> {
    const buckets = limits.map(({ bucket }) => bucket);
    await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
    try {
      const verdict = await this.verify(guess, client);
      if (verdict.matches) await this.throttler.reset(...buckets);
      return verdict;
    } catch (error) {
      if (error instanceof TooBusy) await this.throttler.giveBack(...buckets);
      throw error;
    }
  }

  private async verify({ password, stored }: Guess, client: Client): Promise<PasswordVerdict> {
    if (stored !== undefined) return this.hasher.verify(password, stored, client);
    await this.hasher.spendEqualTime(password, client);
    return { matches: false, outdated: false };
  }
}

function accountOf({ username, address, acquaintance }: Guess): Account {
  const name = username.toLowerCase();
  const network = networkOf(address);
  const ofNetwork = limitOf(['password by network', network, name], MAX_FROM_ONE_NETWORK);
  if (acquaintance === undefined) {
    return {
      limits: [ofNetwork, limitOf(['password', name], MAX_FROM_EVERYWHERE)],
      gate: [
        {
          key: JSON.stringify(['name', name]),
          maxRunning: MAX_RUNNING,
          maxPending: MAX_PLACES_FROM_EVERYWHERE,
        },
        { key: network, maxPending: MAX_PLACES_FROM_ONE_NETWORK },
      ],
      client: { network, name },
    };
  }
  const { userId, organisationId, by, of } = acquaintance;
  return {
    limits: [by === 'network' ? ofNetwork : limitOf([`password by ${by}`, userId, of], MAX_FROM_ONE_NETWORK)],
    gate: [
      {
        key: JSON.stringify([by, userId, of]),
        maxRunning: MAX_RUNNING,
        maxPending: MAX_PLACES_FROM_ONE_NETWORK,
      },
    ],
    client: { organisationId, holder: `user:${userId}` },
  };
}

const limitOf = (bucket: ThrottleLimit['bucket'], most: number): ThrottleLimit => ({ bucket, most });
