import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OutgoingMail } from '@app/mail/mail.types';
import { dateIn, linkFrom } from '@app/mail/mail-values';
import { Outbox } from '@app/mail/outbox';
import { mailboxOf } from '@app/people/users/mailboxes';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { type LoginFromNewNetwork, NewNetworkListener } from '@app/sign-in/auth/new-network-listener';
import { countryIn } from './country-names';
import type { LoginToEnd } from './login-endings';
import { recognisedBrowser, recognisedSystem } from './program-names';

/** Seconds that a link ends its login (rule login 95): 72 hours. */
const LINK_TTL = 259_200;

/**
 * Inserts no row for the user's first login, and for a network with a notice in the last 30 days. Nothing
 * else holds a mail back whose link ends a login (rule login 100): else a thief logs in from other
 * networks first. `known_networks_make_room` holds a lock, so new networks of one user are inserted one after
 * the other. This is one statement, and only for a new network, because the response waits for it.
 */
const OPEN = `
  WITH first AS (
    INSERT INTO first_logins (user_id) VALUES ($1::integer) ON CONFLICT ON CONSTRAINT first_logins_pkey DO NOTHING RETURNING user_id
  ), opened AS (
    INSERT INTO login_notices (user_id, login_id, network, address, country, os, browser, token_digest, expires_at)
    SELECT $1::integer, $2, $3::cidr, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)
    WHERE NOT EXISTS (SELECT FROM first)
      AND NOT EXISTS (SELECT FROM login_notices n
        WHERE n.user_id = $1 AND n.network = $3::cidr AND n.logged_in_at > now() - interval '30 days')
    RETURNING user_id, logged_in_at, expires_at
  )
  SELECT opened.logged_in_at AS at, opened.expires_at AS "expiresAt", u.username, u.organisation_id AS "organisationId"
  FROM opened JOIN users u ON u.id = opened.user_id`;

interface OpenedNotice extends Pick<LoginToEnd, 'at'> {
  readonly expiresAt: Date;
  readonly username: string;
  readonly organisationId: number;
}

/** A login as its mail describes it. */
type NoticedLogin = Omit<OpenedNotice, 'organisationId'> & { readonly fullName: string } & Pick<
    LoginToEnd,
    'language' | 'address' | 'country' | 'system' | 'browser'
  > &
  Pick<LoginFromNewNetwork, 'serviceKey'>;

/**
 * Mails users about logins from new networks or devices (rule login 95). The mail is a job of the login's
 * transaction, so a slow mail server delays no login.
 */
@Injectable()
export class LoginNotices extends NewNetworkListener {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {
    super();
  }

  async loggedIn(manager: EntityManager, login: LoginFromNewNetwork): Promise<void> {
    const { userId, loginId, network, address, country, serviceKey } = login;
    const token = newSecret();
    const system = recognisedSystem(login.os);
    const browser = recognisedBrowser(login.browser);
    const [notice] = await manager.query<OpenedNotice[]>(OPEN, [
      userId,
      loginId,
      network,
      address,
      country,
      system,
      browser,
      digestOf(token),
      LINK_TTL,
    ]);
    if (notice === undefined) return;
    // Determine the address now: it may be another when the mail is sent.
    const { address: to, isVerified, fullName, language } = await mailboxOf(manager, userId);
    if (to === undefined) return;
    const { organisationId, ...opened } = notice;
    const told = {
      ...opened,
      ...(isVerified ? { fullName, serviceKey } : { fullName: '', serviceKey: '' }),
      language,
      address,
      country,
      system,
      browser,
    };
    const { timeZone } = this.settings;
    await this.outbox.queue(manager, {
      ...noticeMail(to, told, endingLink(this.settings, token), timeZone),
      userId,
      organisationId,
    });
  }
}

/** The page where a token ends its login; undefined if the service has no pages. */
function endingLink({ pages, publicUrl }: Settings, token: string): string | undefined {
  return pages ? linkFrom(`${publicUrl}/account/end-login/{token}`, { token }) : undefined;
}

/** The mail about a login, with the link that ends it if the service has pages. */
export function noticeMail(
  to: string,
  {
    at,
    expiresAt,
    username,
    fullName,
    language,
    address,
    country,
    system,
    browser,
    serviceKey,
  }: NoticedLogin,
  link: string | undefined,
  timeZone: string,
): OutgoingMail {
  const values = {
    fullName,
    username,
    address,
    system,
    browser,
    serviceKey,
    at: dateIn(language, at, timeZone),
    country: countryIn(language, country),
  };
  const mail = { to, language, expiresAt };
  return link === undefined
    ? { template: 'newLogin', values, ...mail }
    : {
        template: 'newLoginWithLink',
        values: { ...values, linkHours: String(LINK_TTL / 3600) },
        secrets: { link },
        ...mail,
      };
}
