import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '@app/config/settings';
import { subscriberOf } from '@app/formats/ip-address';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { ApiError, TooManyRequests } from '@app/platform/errors/api-error';
import { type Bucket, Throttler } from '../throttling/throttler';
import { CredentialLookup } from './credential-lookup';

/**
 * Maximum calls without a valid credential in a minute, from an IPv4 address or a /64
 * (rule requests 71).
 */
const MAX_PUBLIC_CALLS = 60;
const MINUTE = 60;

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

  /** Counts a call of a public route. */
  async countRoute(request: Request): Promise<void> {
    const path = request.path.toLowerCase();
    if (COUNTS_FOR_NOTHING.test(path)) return;
    await (READS_NO_DATA.test(path) ? this.countBriefly(request) : this.count(request));
  }

  /**
   * Counts a call of a public route. Throws 429 past the limit, unless the call has a
   * valid credential and no body.
   */
  async count(request: Request): Promise<void> {
    if (!this.settings.rateLimit) return;
    try {
      await this.reserve(request);
    } catch (error) {
      if (!(error instanceof TooManyRequests) || !(await this.showsCredential(request))) throw error;
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

  private async reserve(request: Request): Promise<void> {
    const bucket: Bucket = ['public call', subscriberOf(this.addresses.of(request))];
    // This count runs until its end without a reset, so further requests of a flood need no database.
    const wait = this.throttler.refused.waitOf(bucket);
    if (wait !== undefined) throw new TooManyRequests(wait);
    await this.throttler.reserve([{ bucket, most: MAX_PUBLIC_CALLS }], MINUTE);
  }

  /** Throws a 429 that arrives in time. Ignores every other result. */
  private async withoutDatabase(counting: Promise<void>): Promise<void> {
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
