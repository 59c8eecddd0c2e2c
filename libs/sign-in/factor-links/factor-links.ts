import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { dateIn, linkFrom } from '@app/mail/mail-values';
import type { NewsOfUser } from '@app/people/notifications/notification-kind';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { MOST_FACTOR_CHANGES, tooManyFactorChanges } from '@app/sign-in/auth/auth.types';
import {
  type ChangedSecondFactor,
  SecondFactorListener,
  type UndoableNews,
} from '@app/sign-in/auth/second-factor-listener';
import { LINK_TTL } from './factor-link.types';
import { beginNewCount } from './factor-links.lifecycle';

/**
 * Seconds until the user $1 may make another change of second factors; no row if it may now.
 * Lock the user's row first.
 */
const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM link.changed_at + interval '24 hours' - now())))::integer AS wait
  FROM second_factor_links link
  WHERE link.user_id = $1 AND link.is_counted AND link.changed_at > now() - interval '24 hours'
  ORDER BY link.changed_at DESC OFFSET $2::integer - 1 LIMIT 1`;

const OPEN = `
  WITH opened AS (
    INSERT INTO second_factor_links (user_id, change, passkey_id, passkey_name, login_id, token_digest, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7)) RETURNING user_id, changed_at, expires_at
  )
  SELECT u.username, opened.changed_at AS "changedAt", opened.expires_at AS "expiresAt" FROM opened JOIN users u ON u.id = opened.user_id`;

interface OpenedLink {
  readonly username: string;
  readonly changedAt: Date;
  readonly expiresAt: Date;
}

/**
 * Opens the link that undoes a change: the mail to the user of a second factor that is added, or that a login
 * without it deleted, has it (rule recovery 83, rule passkeys 36). It commits with the change.
 */
@Injectable()
export class FactorLinks extends SecondFactorListener {
  constructor(private readonly settings: Settings) {
    super();
  }

  async changed(manager: EntityManager, changed: ChangedSecondFactor): Promise<UndoableNews> {
    await assertMayChange(manager, changed.userId);
    const token = newSecret();
    const opened = await open(manager, changed, token);
    const { username } = opened;
    const link = this.linkOf(token);
    return { username, mail: link === undefined ? {} : { ownMail: this.mailOf(changed, opened, link) } };
  }

  async helped(manager: EntityManager, userId: number): Promise<void> {
    await beginNewCount(manager, userId);
  }

  /** No text that a user chose stands in the mail, and nothing of the thief's. */
  private mailOf(
    { template }: ChangedSecondFactor,
    { changedAt, expiresAt }: OpenedLink,
    link: string,
  ): NonNullable<NewsOfUser['ownMail']> {
    return (to, language) => {
      const when = dateIn(language, changedAt, this.settings.timeZone);
      const values = { linkHours: String(LINK_TTL / 3600), when };
      return { template, to, language, values, secrets: { link }, expiresAt };
    };
  }

  /** The page of the link; undefined if the service has no pages. */
  private linkOf(token: string): string | undefined {
    const { pages, publicUrl } = this.settings;
    return pages ? linkFrom(`${publicUrl}/account/second-factor/{token}`, { token }) : undefined;
  }
}

/**
 * Nothing holds the mails with links back, so the changes that cause them have a bound: nobody floods a
 * mailbox, and no change stays without its link.
 */
async function assertMayChange(manager: EntityManager, userId: number): Promise<void> {
  const [full] = await manager.query<{ wait: number }[]>(WAIT, [userId, MOST_FACTOR_CHANGES]);
  if (full !== undefined) throw tooManyFactorChanges(full.wait);
}

async function open(
  manager: EntityManager,
  { userId, loginId, change, factor }: ChangedSecondFactor,
  token: string,
): Promise<OpenedLink> {
  const [opened] = await manager.query<[OpenedLink]>(OPEN, [
    userId,
    change,
    factor?.id ?? null,
    factor?.name ?? '',
    loginId,
    digestOf(token),
    LINK_TTL,
  ]);
  return opened;
}
