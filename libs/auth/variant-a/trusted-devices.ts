import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Client } from '@app/core/access/client';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { AddressCountries } from '@app/core/geography/address-countries';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { describeUserAgent } from '../user-agent';

/** Seconds that no code is asked for from a trusted device: 30 days (interface description, "Limits"). */
const TRUST_SECONDS = 30 * 86_400;

const IS_TRUSTED = prepared(
  `SELECT 1 FROM trusted_devices WHERE user_id = $1 AND digest = $2 AND expires_at > now()`,
);

/** The devices from which a user's logins ask for no code. */
@Injectable()
export class TrustedDevices {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly countries: AddressCountries,
  ) {}

  /** Whether the token is that of a trusted device of the user. */
  async isTrusted(userId: number, token: string): Promise<boolean> {
    return (await this.queries.row(IS_TRUSTED, [userId, digestOf(token)])) !== undefined;
  }

  /**
   * A fresh token for the trusted device that looks like this client, undefined where none does. The old token
   * ends; the trust ends when it would have (decisions.md section 10).
   */
  async recognise(userId: number, client: Client): Promise<string | undefined> {
    const token = newSecret();
    const [, renewed] = await this.transactions.run((manager) =>
      manager.query<[unknown[], number]>(
        `UPDATE trusted_devices SET digest = $4
         WHERE user_id = $1 AND address = $2 AND user_agent = $3 AND expires_at > now()`,
        [userId, client.address, client.userAgent, digestOf(token)],
      ),
    );
    return renewed === 0 ? undefined : token;
  }

  /** Trusts the client from now on and gives its token, which from here on only it has. */
  async trust(manager: EntityManager, userId: number, client: Client): Promise<string> {
    const token = newSecret();
    const { os, browser } = describeUserAgent(client.userAgent);
    await manager.query(
      `INSERT INTO trusted_devices (user_id, digest, user_agent, address, os, browser, country, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
       ON CONFLICT ON CONSTRAINT trusted_devices_once DO UPDATE SET digest = excluded.digest, os = excluded.os,
         browser = excluded.browser, country = excluded.country, created_at = now(), expires_at = excluded.expires_at`,
      [
        userId,
        digestOf(token),
        client.userAgent,
        client.address,
        os,
        browser,
        this.countries.countryOf(client.address),
        TRUST_SECONDS,
      ],
    );
    return token;
  }
}
