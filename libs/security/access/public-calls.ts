import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError, TooManyRequests } from '@app/platform/errors/api-error';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { subscriberOf } from '@app/platform/addresses/ip-address';
import { Settings } from '@app/platform/process/settings';
import { CredentialLookup } from './credential-lookup';
import { type Bucket, Throttler } from '../throttling/throttler';

/** Calls without a valid credential from one address, or one /64 of IPv6, within a minute (decisions.md sections 5 and 13). */
const MAX_PUBLIC_CALLS = 60;
const MINUTE = 60;

/** Milliseconds that a call waits for a count on which no guess depends. */
const MAX_WAIT = 1000;

/** Counts calls without a credential, by address. */
@Injectable()
export class PublicCalls {
  constructor(
    private readonly settings: Settings,
    private readonly throttler: Throttler,
    private readonly addresses: ClientAddresses,
    private readonly credentials: CredentialLookup,
  ) {}

  /** Counts a call of a public route. Throws 429 past the limit, unless the call shows a valid credential and sends nothing else. */
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
    // Nothing resets this count before its end, so that a flood costs the database nothing more.
    const wait = this.throttler.refused.waitOf(bucket);
    if (wait !== undefined) throw new TooManyRequests(wait);
    await this.throttler.reserve([{ bucket, most: MAX_PUBLIC_CALLS }], MINUTE);
  }

  /** Passes on a 429 that comes in time, and nothing else. */
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

  /** A body is a guess, whatever credential comes with it. */
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
