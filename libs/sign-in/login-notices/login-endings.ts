import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { Language } from '@app/people/users/user.types';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { customerOf } from '@app/security/access/customers';
import { isLoginAlive } from '@app/security/access/valid-logins';
import { RequestContext } from '@app/security/context/request-context';
import { digestOf, isSecret } from '@app/security/secrets/digest';
import { endLogin } from '@app/sign-in/auth/login-endings';
import { forgetDevice } from '@app/sign-in/auth/second-factor';
import { countryIn } from './country-names';

/** The login that a link ends, as its mail describes it. */
export interface LoginToEnd {
  readonly organisationId: number;
  readonly language: Language;
  /** The present user name. */
  readonly username: string;
  readonly at: Date;
  readonly address: string;
  /** Country in the user's language. This and the two fields below are empty if unknown. */
  readonly country: string;
  readonly system: string;
  readonly browser: string;
  /**
   * `ended`: by the link or otherwise, such as by a logout. `expired`: the login continues, but the
   * link is too old to end it.
   */
  readonly state: 'open' | 'ended' | 'expired';
}

/** The login with its notice and user; its country is still a code. */
interface KnownNotice extends LoginToEnd {
  readonly id: number;
  readonly userId: number;
  readonly customerId: number;
}

const KNOWN_NOTICE = prepared<KnownNotice>(`
  SELECT n.id, n.user_id AS "userId", u.organisation_id AS "organisationId", u.username, u.language,
    ${customerOf('u.organisation_id')} AS "customerId", n.logged_in_at AS at, n.address, n.country, n.os AS system, n.browser,
    CASE
      WHEN n.ended_at IS NOT NULL
        OR NOT EXISTS (SELECT FROM logins l WHERE l.id = n.login_id AND l.user_id = n.user_id AND ${isLoginAlive('l', '$2')})
        THEN 'ended'
      WHEN n.expires_at > now() THEN 'open'
      ELSE 'expired'
    END AS state
  FROM login_notices n JOIN users u ON u.id = n.user_id
  WHERE n.token_digest = $1`);

/** If the login trusted a device, both have the same time, because one transaction wrote them. */
const USE_TOKEN = `
  WITH used AS (
    UPDATE login_notices SET ended_at = now()
    WHERE token_digest = $1 AND ended_at IS NULL AND expires_at > now() RETURNING user_id, login_id, logged_in_at
  )
  SELECT user_id AS "userId", login_id AS "loginId", ARRAY(SELECT d.id FROM trusted_devices d
    WHERE d.user_id = used.user_id AND d.created_at = used.logged_in_at) AS "deviceIds"
  FROM used`;

interface UsedNotice {
  readonly userId: number;
  readonly loginId: number;
  readonly deviceIds: readonly number[];
}

/** Ends logins by the links in mails. */
@Injectable()
export class LoginEndings {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  /** Undefined for an unknown token; notices are stored for 30 days. Changes nothing. */
  async find(token: string): Promise<LoginToEnd | undefined> {
    const notice = await this.noticeOf(token);
    if (notice === undefined) return undefined;
    const { id, userId, customerId, country, ...login } = notice;
    return { ...login, country: countryIn(login.language, country) };
  }

  /**
   * Ends the login, and the trust in its device if the login asked for it. Every node refuses its next
   * request. Only one of several calls with one token returns true; false means that nothing was left to end.
   * @param ctx the request, so that the audit log has its address
   */
  async end(token: string, ctx = RequestContext.forJob('login-notices.end')): Promise<boolean> {
    const notice = await this.noticeOf(token);
    if (notice?.state !== 'open') return false;
    const { id, userId, organisationId, customerId } = notice;
    ctx.identify({ userId, organisationId, customerId, credential: { kind: 'login_notice', id } });
    return this.transactions.run(ctx, (manager) => useToken(manager, token));
  }

  private async noticeOf(token: string): Promise<KnownNotice | undefined> {
    if (!isSecret(token)) return undefined;
    return this.queries.row(KNOWN_NOTICE, [digestOf(token), this.settings.loginIdleTtl]);
  }
}

async function useToken(manager: EntityManager, token: string): Promise<boolean> {
  const [used] = await manager.query<UsedNotice[]>(USE_TOKEN, [digestOf(token)]);
  if (used === undefined || !(await endLogin(manager, used.userId, used.loginId))) return false;
  for (const deviceId of used.deviceIds) await forgetDevice(manager, used.userId, deviceId);
  return true;
}
