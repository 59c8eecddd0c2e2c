import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { TakeoverOutcome, TakeoverRecord } from '@app/lifecycle/takeovers';
import type { OfUser } from '@app/lifecycle/user-events';
import type { MailLanguage, OutgoingMail } from '@app/mail/mail.types';
import { quoted } from '@app/mail/mail-values';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { notificationText } from '@app/people/notifications/notification-text';
import { TAKEOVER_ELSEWHERE_NOTICES, TAKEOVER_NOTICES } from './recovery.notices';

/** Names of a kind in one text. Further ones are counted. */
const MOST_NAMED = 1000;

/** Other organisations that are told. The user reads of all of them. */
const MOST_TOLD = 200;

const ORGANISATION: Readonly<Record<MailLanguage, string>> = {
  nl: 'organisatie',
  en: 'organisation',
  fr: 'organisation',
};

type Params = Readonly<Partial<Record<TakeoverOutcome | 'organisations', readonly (string | number)[]>>>;

/**
 * Tells what a restored name has ended (rule recovery 49, rule recovery 50): the user everything, each
 * organisation what was its own, without the names of people from elsewhere.
 */
@Injectable()
export class TakeoverNews {
  constructor(
    private readonly notifications: NotificationRecorder,
    private readonly settings: Settings,
  ) {}

  async tell(manager: EntityManager, user: OfUser, records: readonly TakeoverRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { userId, organisationId: home, username } = user;
    const others = [...new Set(records.map(({ organisationId }) => organisationId))].filter(
      (id) => id !== home,
    );
    const params: Params = {
      ...paramsOf(records.filter(({ organisationId }) => organisationId === home)),
      ...(others.length > 0 && { organisations: shortened(others) }),
    };
    const [organisation] = await manager.query<{ name: string }[]>(
      'SELECT name FROM organisations WHERE id = $1',
      [home],
    );
    await this.notifications.record(manager, TAKEOVER_NOTICES.takeover_ended, {
      organisationId: home,
      entity: { id: userId, name: username },
      userId,
      aboutUserId: userId,
      params,
      ownMail: (to, language) =>
        this.mailOf(to, language, { ...user, organisation: organisation?.name ?? '' }, records),
    });
    for (const organisationId of others.slice(0, MOST_TOLD)) {
      await this.notifications.record(manager, TAKEOVER_ELSEWHERE_NOTICES.takeover_ended, {
        organisationId,
        entity: { id: organisationId, name: '' },
        userId: null,
        params: paramsOf(records.filter((record) => record.organisationId === organisationId)),
      });
    }
  }

  /** It belongs to the link that was followed, so no count of news holds it back. */
  private mailOf(
    to: string,
    language: MailLanguage,
    { userId, organisationId, username, organisation }: OfUser & { readonly organisation: string },
    records: readonly TakeoverRecord[],
  ): OutgoingMail {
    const text = notificationText(
      {
        kind: TAKEOVER_NOTICES.takeover_ended,
        entityId: userId,
        entityName: username,
        isWritten: false,
        subject: null,
        params: paramsOf(records, { organisationId, word: ORGANISATION[language] }),
        actor: null,
        isOwnAct: true,
        owner: null,
        at: new Date(),
      },
      { isUser: true, name: '' },
      language,
      this.settings,
    );
    const values = { organisation: quoted(language, organisation), ...text };
    return { template: 'ownNotification', to, language, values };
  }
}

/** The names by what became of them. With a home, records of other organisations name theirs. */
function paramsOf(
  records: readonly TakeoverRecord[],
  home?: { readonly organisationId: number; readonly word: string },
): Params {
  const params: Partial<Record<TakeoverOutcome, (string | number)[]>> = {};
  for (const { outcome, organisationId, name } of records) {
    const isElsewhere = home !== undefined && organisationId !== home.organisationId;
    (params[outcome] ??= []).push(isElsewhere ? `${name} (${home.word} ${organisationId})` : name);
  }
  return Object.fromEntries(Object.entries(params).map(([outcome, names]) => [outcome, shortened(names)]));
}

const shortened = (names: readonly (string | number)[]): (string | number)[] =>
  names.length <= MOST_NAMED ? [...names] : [...names.slice(0, MOST_NAMED), `+ ${names.length - MOST_NAMED}`];
