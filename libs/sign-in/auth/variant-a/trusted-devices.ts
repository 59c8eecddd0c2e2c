import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '@app/platform/context/request-context';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { AddressCountries } from '../address-countries';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { describeUserAgent } from '../user-agent';

/** Seconds that a device is trusted: 30 days (interface description, "Limits"). */
const TRUST_SECONDS = 30 * 86_400;

const IS_TRUSTED = prepared(
  `SELECT 1 FROM trusted_devices WHERE user_id = $1 AND digest = $2 AND expires_at > now()`,
);

/** Devices that log in without a code. */
@Injectable()
export class TrustedDevices {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly countries: AddressCountries,
  ) {}

  async isTrusted(userId: number, token: string): Promise<boolean> {
    return (await this.queries.row(IS_TRUSTED, [userId, digestOf(token)])) !== undefined;
  }

  /**
   * Gives a new token to the trusted device with this client's IP address and user agent, if it exists. The old token ends; the
   * end of the trust does not change (decisions.md section 10).
   */
  async recognise(ctx: RequestContext, userId: number): Promise<string | undefined> {
    const token = newSecret();
    const [, renewed] = await this.transactions.run(ctx, (manager) =>
      manager.query<[unknown[], number]>(
        `UPDATE trusted_devices SET digest = $4
         WHERE user_id = $1 AND address = $2 AND user_agent = $3 AND expires_at > now()`,
        [userId, ctx.ip, ctx.userAgent, digestOf(token)],
      ),
    );
    return renewed === 0 ? undefined : token;
  }

  /** Trusts the client and returns its token, which is stored nowhere. */
  async trust(ctx: RequestContext, manager: EntityManager, userId: number): Promise<string> {
    const token = newSecret();
    const { os, browser } = describeUserAgent(ctx.userAgent);
    await manager.query(
      `INSERT INTO trusted_devices (user_id, digest, user_agent, address, os, browser, country, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
       ON CONFLICT ON CONSTRAINT trusted_devices_once DO UPDATE SET digest = excluded.digest, os = excluded.os,
         browser = excluded.browser, country = excluded.country, created_at = now(), expires_at = excluded.expires_at`,
      [
        userId,
        digestOf(token),
        ctx.userAgent,
        ctx.ip,
        os,
        browser,
        this.countries.countryOf(ctx.ip),
        TRUST_SECONDS,
      ],
    );
    return token;
  }
}
