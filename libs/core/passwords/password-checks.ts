import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter, TooBusy, type Origin } from '../concurrency/concurrency-limiter';
import { TooManyRequests } from '../errors/api-error';
import { networkOf } from '../network/client-address';
import type { Acquaintance } from '../throttling/acquaintance';
import { Throttler, type ThrottleLimit } from '../throttling/throttler';
import { strangerAt, userOf } from './hashing-origins';
import { PasswordHasher, type PasswordVerdict } from './password-hasher';

const QUARTER_OF_AN_HOUR = 900;

/** Wrong passwords within a quarter of an hour for one user name (decisions.md section 5). */
const MAX_FROM_ONE_NETWORK = 10;
const MAX_FROM_EVERYWHERE = 100;

/**
 * Guesses at one name that are counted and checked at the same time: of strangers all together, of each network, device
 * and login that the user is known by apart. They are the places of the name in the queue of all.
 */
const MAX_RUNNING = 2;
/** Guesses at one name that may run or wait for it: from one network, and of strangers all together. */
const MAX_PLACES_FROM_ONE_NETWORK = 64;
const MAX_PLACES_FROM_EVERYWHERE = 128;
/** Milliseconds that a guess may wait for those before it. */
const MAX_WAIT = 10_000;
/** Seconds after which somebody may try again who came while too many guesses at the name were waiting. */
const RETRY_AFTER = 1;

/** A password that somebody claims to be that of a name. */
export interface Guess {
  readonly username: string;
  readonly password: string;
  /** The hash of the name's password; undefined for a name that nobody has. */
  readonly stored: string | undefined;
  readonly address: string;
  /** Absent for a stranger. */
  readonly acquaintance?: Acquaintance | undefined;
}

/** What one guess is counted under, and where it waits. */
interface Account {
  readonly limits: readonly ThrottleLimit[];
  readonly gate: Origin;
  readonly hashing: Origin;
}

/**
 * Checks passwords under the limit on guesses. A guess passes a gate of its name and network, is counted there, and
 * only then waits to be hashed: so 200 parallel guesses take two places in the queue of all, and those past the limit
 * none. Few pass the gate at once: so many right logins at once, each of which starts the count anew, never look like
 * guessing.
 */
@Injectable()
export class PasswordChecks {
  /** Its shares alone bound it: names do not wait for each other here. */
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
   * Whether the password is right; with `stored` undefined it never is, after the same work. A right one starts its
   * counts anew. Throws 429 past the limit and where too many guesses at the name wait, 503 when too much of all waits
   * to be hashed.
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

  private async countAndVerify(guess: Guess, { limits, hashing }: Account): Promise<PasswordVerdict> {
    const buckets = limits.map(({ bucket }) => bucket);
    await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
    try {
      const verdict = await this.verify(guess, hashing);
      if (verdict.matches) await this.throttler.reset(...buckets);
      return verdict;
    } catch (error) {
      if (error instanceof TooBusy) await this.throttler.giveBack(...buckets);
      throw error;
    }
  }

  private async verify({ password, stored }: Guess, hashing: Origin): Promise<PasswordVerdict> {
    if (stored !== undefined) return this.hasher.verify(password, stored, hashing);
    await this.hasher.spendEqualTime(password, hashing);
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
      gate: {
        turns: [name, network],
        shares: [
          { key: JSON.stringify(['network', network, name]), maxPlaces: MAX_PLACES_FROM_ONE_NETWORK },
          {
            key: JSON.stringify(['name', name]),
            maxRunning: MAX_RUNNING,
            maxPlaces: MAX_PLACES_FROM_EVERYWHERE,
          },
        ],
      },
      hashing: strangerAt(network, name),
    };
  }
  const { userId, organisationId, by, of } = acquaintance;
  return {
    limits: [by === 'network' ? ofNetwork : limitOf([`password by ${by}`, userId, of], MAX_FROM_ONE_NETWORK)],
    gate: {
      turns: [name, of],
      shares: [
        {
          key: JSON.stringify([by, userId, of]),
          maxRunning: MAX_RUNNING,
          maxPlaces: MAX_PLACES_FROM_ONE_NETWORK,
        },
      ],
    },
    hashing: userOf(organisationId, userId),
  };
}

const limitOf = (bucket: ThrottleLimit['bucket'], most: number): ThrottleLimit => ({ bucket, most });
