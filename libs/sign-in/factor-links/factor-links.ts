import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { MailLanguage, OutgoingMail } from '@app/mail/mail.types';
import { dateIn, linkFrom } from '@app/mail/mail-values';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { AUTH_NOTICES } from '@app/sign-in/auth/auth.notices';
import { MOST_FACTOR_CHANGES, tooManyFactorChanges } from '@app/sign-in/auth/auth.types';
import {
  type ChangedSecondFactor,
  SecondFactorListener,
  type UndoableChange,
} from '@app/sign-in/auth/second-factor-listener';
import { PASSKEY_NOTICES } from '@app/sign-in/passkeys/passkeys.notices';
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
 * Tells the user and the contacts with the group System of a second factor that is added, or that a
 * login without it deleted. The mail to the user has the link that undoes it (rule recovery 83,
 * rule passkeys 36). All of it commits with the change.
 */
@Injectable()
export class FactorLinks extends SecondFactorListener {
  constructor(
    private readonly notifications: NotificationRecorder,
    private readonly settings: Settings,
  ) {
    super();
  }

  async changed(manager: EntityManager, changed: ChangedSecondFactor): Promise<void> {
    const { organisationId, userId, change } = changed;
    await assertMayChange(manager, userId);
    const token = newSecret();
    const opened = await open(manager, changed, token);
    const link = this.linkOf(token);
    await this.notifications.record(manager, NOTICES[change.kind], {
      organisationId,
      ...subjectOf(change, userId, opened.username),
      userId,
      aboutUserId: userId,
      ...(link !== undefined && {
        ownMail: (to, language) => {
          const when = dateIn(language, opened.changedAt, this.settings.timeZone);
          return mailOf({ to, language, change, opened, when, link });
        },
      }),
    });
  }

  async helped(manager: EntityManager, userId: number): Promise<void> {
    await beginNewCount(manager, userId);
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
  { userId, loginId, change }: ChangedSecondFactor,
  token: string,
): Promise<OpenedLink> {
  const passkey = change.kind === 'authenticatorAdded' ? undefined : change.passkey;
  const [opened] = await manager.query<[OpenedLink]>(OPEN, [
    userId,
    change.kind,
    passkey?.id ?? null,
    passkey?.name ?? '',
    loginId,
    digestOf(token),
    LINK_TTL,
  ]);
  return opened;
}

const NOTICES = {
  authenticatorAdded: AUTH_NOTICES['2fa_enabled'],
  passkeyAdded: PASSKEY_NOTICES.new,
  passkeyGoing: PASSKEY_NOTICES.removal_begun,
} as const;

/** The record that changed, and when the change counts. */
function subjectOf(change: UndoableChange, userId: number, username: string) {
  if (change.kind === 'authenticatorAdded') return { entity: { id: userId, name: username } };
  const { id, name, from } = change.passkey;
  const entity = { id, name };
  if (change.kind === 'passkeyGoing') return { entity, params: { goneFrom: from } };
  return { entity, ...(from !== null && { params: { countsFrom: from } }) };
}

interface LinkedMail {
  readonly to: string;
  readonly language: MailLanguage;
  readonly change: UndoableChange;
  readonly opened: OpenedLink;
  /** The time of the change, in words. */
  readonly when: string;
  readonly link: string;
}

/** No text that a user chose stands in the mail, and nothing of the thief's. */
function mailOf({ to, language, change, opened, when, link }: LinkedMail): OutgoingMail {
  const { expiresAt } = opened;
  const values = { linkHours: String(LINK_TTL / 3600), when };
  const secrets = { link };
  const { kind } = change;
  const template = kind === 'passkeyAdded' && change.passkey.from !== null ? 'passkeyAddedLater' : kind;
  return { template, to, language, values, secrets, expiresAt };
}
