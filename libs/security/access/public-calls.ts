import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '@app/config/settings';
import { subscriberOf } from '@app/formats/ip-address';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { ApiError, TooManyRequests } from '@app/platform/errors/api-error';
import { type Bucket, type CountedAttempt, Throttler } from '../throttling/throttler';
import { CredentialLookup } from './credential-lookup';

/**
 * Maximum calls without a valid credential in a minute, from an IPv4 address or a /64
 * (rule login 106).
 */
const MAX_PUBLIC_CALLS = 60;
const MINUTE = 60;

/**
 * Milliseconds for which a process refuses an address without asking the database again: a flood costs a
 * statement a second, and the calls that right logins take back are free soon.
 */
const REFUSED_FOR = 1000;

/** Milliseconds to wait for a count. No guess depends on it, so the call continues after that. */
const MAX_WAIT = 1000;

/** Health, and what a page loads: a page is one call, however many files it has. */
const COUNTS_FOR_NOTHING = /^\/(health\/|account\/pages\.css$)/;

/** Routes that work without the database, so that a slow database does not delay them. */
const READS_NO_DATA = /^\/(metrics|\.well-known)(\/|$)/;

/** Counts calls without a credential, by address. */
@Injectable()
export class PublicCalls {
  constructor(
    private readonly settings: Settings,
    private readonly throttler: Throttler,
    private readonly addresses: ClientAddresses,
    private readonly credentials: CredentialLookup,
  ) {}

  /** Counts a call of a public route. Returns what a right login takes back. */
  async countRoute(request: Request): Promise<CountedAttempt | undefined> {
    const path = request.path.toLowerCase();
    if (COUNTS_FOR_NOTHING.test(path)) return undefined;
    if (!READS_NO_DATA.test(path)) return this.count(request);
    await this.countBriefly(request);
    return undefined;
  }

  /**
   * Counts a call of a public route. Throws 429 past the limit, unless the call has a
   * valid credential and no body: it is served without a count.
   */
  async count(request: Request): Promise<CountedAttempt | undefined> {
    if (!this.settings.rateLimit) return undefined;
    try {
      return await this.reserve(request);
    } catch (error) {
      if (!(error instanceof TooManyRequests) || !(await this.showsCredential(request))) throw error;
      return undefined;
    }
  }

  /** Counts a call of documentation or metrics, without waiting for a slow or absent database. */
  async countBriefly(request: Request): Promise<void> {
    await this.withoutDatabase(this.count(request));
  }

  /** Counts a request that is refused because of its credential. */
  async countRefused(request: Request): Promise<void> {
    if (this.settings.rateLimit) await this.withoutDatabase(this.reserve(request));
  }

  private reserve(request: Request): Promise<CountedAttempt> {
    const bucket: Bucket = ['public call', subscriberOf(this.addresses.of(request))];
    const wait = this.throttler.refused.waitOf(bucket, REFUSED_FOR);
    if (wait !== undefined) return Promise.reject(new TooManyRequests(wait));
    return this.throttler.reserve([{ bucket, most: MAX_PUBLIC_CALLS }], MINUTE);
  }

  /** Throws a 429 that arrives in time. Ignores every other result. */
  private async withoutDatabase(counting: Promise<unknown>): Promise<void> {
    const giveUp = new AbortController();
    try {
      await Promise.race([counting, pause(MAX_WAIT, undefined, { signal: giveUp.signal })]);
    } catch (error) {
      if (error instanceof TooManyRequests) throw error;
    } finally {
      giveUp.abort();
    }
  }

  /** A body may hold a guess, so the call counts even with a valid credential. */
  private async showsCredential(request: Request): Promise<boolean> {
    const { authorization } = request.headers;
    const body = (request.body ?? {}) as object;
    if (authorization === undefined || Object.keys(body).length > 0) return false;
    try {
      await this.credentials.find(authorization, () => this.addresses.of(request));
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }
}
