import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Settings } from '@app/config/settings';
import type { Brownout } from '@app/config/variant-b.env';
import { ClientAddresses } from '@app/platform/context/client-addresses';
import { requestState } from '@app/platform/context/request-state';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { ApiError } from '@app/platform/errors/api-error';
import { writeErrorResponse } from '@app/platform/http/error-response';
import type { AccessRow } from '@app/security/access/access.queries';
import { Caller } from '@app/security/access/caller';
import { CredentialLookup } from '@app/security/access/credential-lookup';
import { OTHER_PROGRAM, Programs } from '../program-of';
import { exemptUntil, programExemptUntil } from './exemptions';

/**
 * Served during brown-outs: some clients store the result of a failed login, and proxies that ask for each
 * request would block everything behind them.
 */
const SERVED_ROUTES: ReadonlySet<string> = new Set([
  '/v1/login',
  '/v1/logout',
  '/v1/access/introspect',
  '/v1/access/forward',
]);

/** Whether the organisation $1 (0: unknown) or the program $2 is exempt. */
const IS_EXEMPT = prepared<{ exempt: boolean }>(
  `SELECT ${exemptUntil('$1')} IS NOT NULL OR ${programExemptUntil('$2::text')} IS NOT NULL AS exempt`,
);

/** Whole seconds until the present brown-out ends; undefined without one. */
export function secondsLeft(brownouts: readonly Brownout[], now: number): number | undefined {
  const ends = brownouts
    .filter(({ start, end }) => start.getTime() <= now && now < end.getTime())
    .map(({ end }) => end.getTime());
  return ends.length === 0 ? undefined : Math.ceil((Math.max(...ends) - now) / 1000);
}

/** 503: a brown-out is going on, and the caller is not exempt. */
const brownoutResponse = (retryAfter: number): ApiError =>
  new ApiError(503, 'VARIANT_BROWNOUT', 'This variant of the interface ends and is off for a while', {
    headers: { 'Retry-After': String(retryAfter) },
  });

/**
 * During a brown-out, serves only some routes, exempt organisations and exempt programs. At
 * other times it costs nothing.
 */
@Injectable()
export class Brownouts {
  private readonly programs = new Programs();

  constructor(
    private readonly settings: Settings,
    private readonly credentials: CredentialLookup,
    private readonly addresses: ClientAddresses,
    private readonly reads: DatabaseReads,
  ) {}

  readonly gate = (request: Request, response: Response, next: NextFunction): void => {
    const retryAfter = secondsLeft(this.settings.variantBEnd.brownouts, Date.now());
    const route = requestState(response).match?.route.path;
    if (retryAfter === undefined || (route !== undefined && SERVED_ROUTES.has(route))) {
      next();
      return;
    }
    this.isExempt(request, response).then((isExempt) => {
      if (isExempt) next();
      else writeErrorResponse(brownoutResponse(retryAfter), response);
    }, next);
  };

  /** Reads exemptions for each call, so they take effect at once in every process. */
  private async isExempt(request: Request, response: Response): Promise<boolean> {
    const arrivedAt = performance.now();
    const caller = await this.callerOf(request);
    if (caller !== undefined) {
      const state = requestState(response);
      const arrival = { request, addresses: this.addresses, requestId: state.id, arrivedAt };
      // The usage counts the call even if it is refused.
      state.context = new Caller(arrival, caller);
    }
    const program = this.programs.of(request.headers['user-agent'], true);
    if (caller === undefined && program === OTHER_PROGRAM) return false;
    const row = await this.reads.row(IS_EXEMPT, [caller?.organisation_id ?? 0, program]);
    return row?.exempt === true;
  }

  /** Undefined without a valid credential. */
  private async callerOf(request: Request): Promise<AccessRow | undefined> {
    try {
      return await this.credentials.find(request.headers.authorization, () => this.addresses.of(request));
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return undefined;
      throw error;
    }
  }
}
