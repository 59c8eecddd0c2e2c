import { Injectable } from '@nestjs/common';
import { networkOf } from '@app/formats/ip-address';
import { ConcurrencyLimiter, type Quota, TooBusy } from '@app/platform/concurrency/concurrency-limiter';
import type { Client } from '@app/platform/concurrency/fair-limiter';
import { TooManyRequests } from '@app/platform/errors/api-error';
import type { Caller } from '../access/caller';
import { clientIn } from '../context/request-context';
import { type Bucket, type ThrottleLimit, Throttler } from '../throttling/throttler';
import { PasswordHasher, type PasswordVerdict } from './password-hasher';

/**
 * Evidence that an attempt comes from the user. Such attempts are counted separately from those of strangers.
 */
export interface KnownClient {
  readonly userId: number;
  readonly organisationId: number;
  readonly customerId: number;
  /**
   * A login that the user presents, the token of a trusted device, or a network from which the user has
   * recently logged in.
   */
  readonly by: 'login' | 'device' | 'network';
  /** Identifies the login, device (digest of its token) or network. */
  readonly of: string;
}

/** A logged-in user. Attempts from any network count for the login. */
export const byCaller = ({ self: userId, organisationId, customerId, credential }: Caller): KnownClient => ({
  userId,
  organisationId,
  customerId,
  by: 'login',
  of: String(credential.id),
});

const QUARTER_OF_AN_HOUR = 900;

/** Maximum wrong passwords in 15 minutes for one user name (rule login 33). */
const MAX_FROM_ONE_NETWORK = 10;
const MAX_FROM_EVERYWHERE = 100;

/**
 * Attempts on one name that are counted and checked at once: one quota for all strangers, and one for each
 * known network, device and login.
 */
const MAX_RUNNING = 2;
/** Attempts on one name that may run or wait: one quota for each network, and one for all strangers. */
const MAX_PLACES_FROM_ONE_NETWORK = 64;
const MAX_PLACES_FROM_EVERYWHERE = 128;
/** Milliseconds that an attempt may wait. */
const MAX_WAIT = 10_000;
/** Retry-After in seconds when too many attempts on one name wait. */
const RETRY_AFTER = 1;

/** A password for a user name. */
interface Guess {
  readonly username: string;
  readonly password: string;
  /** The hash of the user's password; undefined for an unknown name. */
  readonly stored: string | undefined;
  readonly address: string;
  /** Undefined for a stranger. */
  readonly knownClient?: KnownClient | undefined;
}

/** The limits that count an attempt, its quotas in the gate, and the client for which it is hashed. */
interface Account {
  readonly limits: readonly ThrottleLimit[];
  readonly gate: readonly Quota[];
  readonly client: Client;
}

/**
 * Checks passwords under the limit on attempts. An attempt passes a gate for its name and network, is
 * counted, and then waits to be hashed: of 200 parallel attempts two wait in the hashing queue, and none
 * beyond the limit. Each right password resets the count. Because the gate lets few pass at once, many
 * parallel logins with the right password do not look like attacks.
 */
@Injectable()
export class PasswordChecks {
  /** Only the quotas limit the gate: attempts on different names do not wait for each other here. */
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
   * Checks a password. Without `stored` it fails after the same amount of work. A match resets the counts.
   * Throws 429 past the limit or when too many attempts on the name wait, 503 when the hashing queue is full.
   */
  async check(guess: Guess): Promise<PasswordVerdict> {
    const account = accountOf(guess);
    // A read without a lock, for names that this process has refused. The count refuses all others.
    if (account.limits.some(({ bucket }) => this.throttler.refused.waitOf(bucket) !== undefined))
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
    const counted = await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
    try {
      const verdict = await this.verify(guess, client);
      if (verdict.matches) await this.throttler.reset(...buckets);
      return verdict;
    } catch (error) {
      if (error instanceof TooBusy) await this.throttler.giveBack(counted);
      throw error;
    }
  }

  private async verify({ password, stored }: Guess, client: Client): Promise<PasswordVerdict> {
    if (stored !== undefined) return this.hasher.verify(password, stored, client);
    await this.hasher.spendEqualTime(password, client);
    return { matches: false, outdated: false };
  }
}

const bucketOfStrangers = (name: string): Bucket => ['password', name];
const bucketOfNetwork = (network: string, name: string): Bucket => ['password by network', network, name];
const bucketOfKnown = ({ userId, by, of }: Pick<KnownClient, 'userId' | 'by' | 'of'>): Bucket => [
  `password by ${by}`,
  userId,
  of,
];

/** Where wrong passwords and codes of a user may be counted. */
export interface GuessPlaces {
  readonly userId: number;
  readonly username: string;
  readonly networks: readonly string[];
  readonly deviceIds: readonly number[];
  readonly loginIds: readonly number[];
}

/** The counts of wrong passwords of a user at these places. */
export function passwordBuckets({ userId, username, networks, deviceIds, loginIds }: GuessPlaces): Bucket[] {
  const name = username.toLowerCase();
  return [
    bucketOfStrangers(name),
    ...networks.map((network) => bucketOfNetwork(network, name)),
    ...deviceIds.map((id) => bucketOfKnown({ userId, by: 'device', of: String(id) })),
    ...loginIds.map((id) => bucketOfKnown({ userId, by: 'login', of: String(id) })),
  ];
}

function accountOf({ username, address, knownClient }: Guess): Account {
  const name = username.toLowerCase();
  const network = networkOf(address);
  const ofNetwork = limitOf(bucketOfNetwork(network, name), MAX_FROM_ONE_NETWORK);
  if (knownClient === undefined) {
    return {
      limits: [ofNetwork, limitOf(bucketOfStrangers(name), MAX_FROM_EVERYWHERE)],
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
  const { userId, by, of } = knownClient;
  return {
    limits: [by === 'network' ? ofNetwork : limitOf(bucketOfKnown({ userId, by, of }), MAX_FROM_ONE_NETWORK)],
    gate: [
      {
        key: JSON.stringify([by, userId, of]),
        maxRunning: MAX_RUNNING,
        maxPending: MAX_PLACES_FROM_ONE_NETWORK,
      },
    ],
    client: clientIn(knownClient, `user:${userId}`),
  };
}

const limitOf = (bucket: ThrottleLimit['bucket'], most: number): ThrottleLimit => ({ bucket, most });
