import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { isPlainEmailAddress } from '@app/formats/email-address';
import type { TableRules } from '@app/lifecycle/table-rules';
import type { UserEvent, UsernameRestored, UserRenamed } from '@app/lifecycle/user-events';
import { countNews, endOf } from '@app/mail/address-news';
import type { OutgoingMail } from '@app/mail/mail.types';
import { dateIn, linkFrom } from '@app/mail/mail-values';
import { OWN_UNPROVED, RENAMED } from '@app/mail/news-pots';
import { Outbox } from '@app/mail/outbox';
import { bareNewsText } from '@app/people/notifications/notification-text';
import { USER_NOTICES } from '@app/people/notifications/users.notices';
import { isMailable } from '@app/people/users/own-addresses';
import { recoveryEmailOf } from '@app/people/users/recovery-email';
import type { Language } from '@app/people/users/user.types';
import { NameRestorations } from './name-restorations';
import { RESTORATION_TTL } from './recovery.types';

interface Addressee {
  readonly firstName: string;
  readonly language: Language;
}

/**
 * Sends a mail to the former user name. If users changed their own name, it contains a
 * link that restores the name.
 */
@Injectable()
export class RenameMails {
  constructor(
    private readonly restorations: NameRestorations,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'disabled') await this.restorations.end(manager, event.userId);
    if (event.kind !== 'renamed' && event.kind !== 'nameRestored') return;
    if (!event.wasProved && event.kind === 'nameRestored') return;
    const mails =
      event.wasProved || event.kind === 'nameRestored'
        ? [await this.mailToProved(manager, event)]
        : await unprovedMails(manager, event, this.settings);
    const { organisationId } = event;
    for (const mail of mails)
      if (mail !== undefined) await this.outbox.queue(manager, { ...mail, organisationId });
  }

  private mailToProved(
    manager: EntityManager,
    event: UserRenamed | UsernameRestored,
  ): Promise<OutgoingMail | undefined> {
    return event.kind === 'renamed' && event.actorId === event.userId
      ? this.restorableMail(manager, event)
      : plainMail(manager, event, event.formerName, this.settings);
  }

  /**
   * The mail goes to the recovery address of the former name. Without an address, the name cannot be
   * restored and is not reserved.
   */
  private async restorableMail(
    manager: EntityManager,
    { userId, organisationId, formerName }: UserRenamed,
  ): Promise<OutgoingMail | undefined> {
    const to = await recoveryEmailOf(manager, userId, formerName);
    if (to === undefined) return undefined;
    const { firstName, language } = await addressee(manager, userId);
    const { token, expiresAt } = await this.restorations.open(manager, userId, formerName);
    return {
      template: 'ownNameChanged',
      to,
      userId,
      language,
      values: {
        firstName,
        username: formerName,
        linkHours: String(RESTORATION_TTL / 3600),
        when: dateIn(language, new Date(), this.settings.timeZone),
      },
      secrets: { link: linkFrom(this.settings.resetUrlTemplate, { token }) },
      expiresAt,
      opens: organisationId,
    };
  }
}

export const renameMails: TableRules = {
  table: 'name_restorations',
  made: (provider) => ({
    handle: (manager, event) => provider(RenameMails).handle(manager, event),
  }),
};

/**
 * A former name that nobody has proved may be the address of a stranger, and nobody takes it back
 * (rule recovery 20); but an account may have been handed over to it. So it is told in bare words, and
 * somebody else's rename the last proved address too.
 */
async function unprovedMails(
  manager: EntityManager,
  event: UserRenamed,
  settings: Settings,
): Promise<(OutgoingMail | undefined)[]> {
  const bare = await bareMail(manager, event, settings);
  if (event.actorId === event.userId || event.isProved) return [bare];
  return [
    bare,
    event.toldToo === undefined ? undefined : await plainMail(manager, event, event.toldToo, settings),
  ];
}

async function bareMail(
  manager: EntityManager,
  { userId, actorId, organisationId, formerName: to }: UserRenamed,
  settings: Settings,
): Promise<OutgoingMail | undefined> {
  if (!isMailable(to)) return undefined;
  const verdict =
    actorId === userId
      ? await countNews(manager, organisationId, to, OWN_UNPROVED, 'account')
      : await countNews(manager, organisationId, to, RENAMED);
  if (verdict === 'held') return undefined;
  const { language } = await addressee(manager, userId);
  const { subject, text } = bareNewsText(USER_NOTICES.name_changed, new Date(), language, settings);
  return { template: 'unprovedNotification', to, language, values: { subject, text }, ends: endOf(verdict) };
}

/** Without a link, so it counts as news of its address. Undefined if that gets no more of it in this hour. */
async function plainMail(
  manager: EntityManager,
  { userId, organisationId, formerName }: UserRenamed | UsernameRestored,
  to: string,
  { timeZone }: Settings,
): Promise<OutgoingMail | undefined> {
  if (!isPlainEmailAddress(to)) return undefined;
  const verdict = await countNews(manager, organisationId, to, RENAMED);
  if (verdict === 'held') return undefined;
  const { firstName, language } = await addressee(manager, userId);
  return {
    template: 'usernameChanged',
    to,
    language,
    values: { firstName, username: formerName, when: dateIn(language, new Date(), timeZone) },
    ends: endOf(verdict),
  };
}

async function addressee(manager: EntityManager, userId: number): Promise<Addressee> {
  const [user] = await manager.query<Addressee[]>(
    'SELECT first_name AS "firstName", language FROM users WHERE id = $1',
    [userId],
  );
  return user as Addressee;
}
