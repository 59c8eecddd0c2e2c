import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { AddressCountries } from '../address-countries';
import { isDeviceToken } from '../known-clients';
import { describeUserAgent } from '../user-agent';

/** Seconds that a device is trusted: 30 days (interface description, "Limits"). */
const TRUST_SECONDS = 30 * 86_400;

/** The device of user $1 with the token $2. */
const DEVICE_OF_TOKEN = prepared<{ id: number }>(
  `SELECT d.id FROM trusted_devices d WHERE d.user_id = $1 AND ${isDeviceToken('$2::bytea')}`,
);

/**
 * A login from the same place may make the token an older one meanwhile: with the lock it is in one place.
 */
const LOCK_DEVICE = 'SELECT FROM trusted_devices WHERE id = $1 FOR UPDATE';

/** Notes the use of the token $2 of device $1, at most once a minute. */
const NOTE_USE = `
  WITH newest AS (
    UPDATE trusted_devices SET token_used_at = now()
    WHERE id = $1 AND digest = $2 AND coalesce(token_used_at < now() - interval '1 minute', true)
  )
  UPDATE older_device_tokens SET used_at = now()
  WHERE device_id = $1 AND digest = $2 AND coalesce(used_at < now() - interval '1 minute', true)`;

/** Gives the trusted device of user $1, with this address and user agent, the token $4. */
const RENEW = `
  UPDATE trusted_devices SET digest = $4, token_used_at = NULL
  WHERE user_id = $1 AND address = $2 AND user_agent = $3 AND expires_at > now()`;

/** An INSERT that meets the row of the device would use up an id with each trust. */
const TRUST = `
  WITH renewed AS (
    UPDATE trusted_devices SET digest = $2, os = $5, browser = $6, country = $7, created_at = now(),
      expires_at = now() + make_interval(secs => $8), token_used_at = NULL
    WHERE user_id = $1 AND user_agent = $3 AND address = $4 RETURNING id
  )
  INSERT INTO trusted_devices (user_id, digest, user_agent, address, os, browser, country, expires_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8) WHERE NOT EXISTS (SELECT FROM renewed)
  ON CONFLICT ON CONSTRAINT trusted_devices_once DO UPDATE SET digest = excluded.digest, os = excluded.os,
    browser = excluded.browser, country = excluded.country, created_at = now(), expires_at = excluded.expires_at,
    token_used_at = NULL`;

/** Devices that log in without a code. */
@Injectable()
export class TrustedDevices {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly countries: AddressCountries,
  ) {}

  async isTrusted(ctx: RequestContext, userId: number, token: string): Promise<boolean> {
    const digest = digestOf(token);
    const device = await this.queries.row(DEVICE_OF_TOKEN, [userId, digest]);
    if (device === undefined) return false;
    await this.transactions.run(ctx, async (manager) => {
      await manager.query(LOCK_DEVICE, [device.id]);
      await manager.query(NOTE_USE, [device.id, digest]);
    });
    return true;
  }

  /**
   * Gives a new token to the trusted device with this client's IP address and user agent, if it exists. A
   * trigger keeps the older ones; the end of the trust does not change (rule login 63, rule login 66).
   */
  async recognise(ctx: RequestContext, userId: number): Promise<string | undefined> {
    const token = newSecret();
    const [, renewed] = await this.transactions.run(ctx, (manager) =>
      manager.query<[unknown[], number]>(RENEW, [userId, ctx.ip, ctx.userAgent, digestOf(token)]),
    );
    return renewed === 0 ? undefined : token;
  }

  /** Trusts the client and returns its token, which is stored nowhere. */
  async trust(ctx: RequestContext, manager: EntityManager, userId: number): Promise<string> {
    const token = newSecret();
    const { os, browser } = describeUserAgent(ctx.userAgent);
    const country = this.countries.countryOf(ctx.ip);
    const values = [userId, digestOf(token), ctx.userAgent, ctx.ip, os, browser, country, TRUST_SECONDS];
    await manager.query(TRUST, values);
    return token;
  }
}
