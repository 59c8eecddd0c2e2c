import type { MailContent, MailLanguage, MailTemplate, MailValues } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import { dateIn, quotedInShort } from '@app/mail/mail-values';
import type { Sender } from '@app/mail/sender';
import { type DeliveredNotification, notificationMail } from '@app/people/notifications/notification-mail';
import { DECLARED_KINDS, type NamedKind } from './notification-kinds';

export const LANGUAGES = ['nl', 'en', 'fr'] as const satisfies readonly MailLanguage[];

/** The settings of a whole deployment. */
export const SAMPLE_SENDER: Sender = {
  companyName: 'Lage Landen Hosting',
  supportUrl: 'https://help.lagelanden.example/contact',
  panelUrl: 'https://panel.lagelanden.example/',
  publicUrl: 'https://api.lagelanden.example',
  pages: true,
  timeZone: 'Europe/Brussels',
};

export interface SampleMail {
  /** The kind or template, and whom it tells. */
  readonly name: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const AT = new Date('2026-11-28T13:05:00Z');
const END = new Date('2026-12-01T13:05:00Z');
const LINK = 'https://api.lagelanden.example/account/page/0123456789abcdef';

type OwnWords = 'notification' | 'linkedNotification' | 'ownNotification' | 'unverifiedNotification';

type OwnValues = { readonly [Template in Exclude<MailTemplate, OwnWords>]: MailValues<Template> };

/** Values of the mails that have words of their own. */
const valuesIn = (language: MailLanguage): OwnValues => {
  const when = dateIn(language, AT, SAMPLE_SENDER.timeZone);
  return {
    reset: {
      fullName: 'Lotte Janssens',
      username: 'lotte@elan.example',
      organisation: 'Imprimerie Élan',
      linkMinutes: '60',
      codeMinutes: '15',
      link: LINK,
      code: '12345678',
    },
    invitation: {
      organisation: quotedInShort(language, 'Imprimerie Élan'),
      inviter: quotedInShort(language, 'Élise Martin'),
      endDate: dateIn(language, END, SAMPLE_SENDER.timeZone),
      link: LINK,
    },
    welcome: { fullName: 'Lotte Janssens', organisation: 'Imprimerie Élan', username: 'lotte@elan.example' },
    usernameChanged: { fullName: 'Lotte Janssens', username: 'lotte@elan.example', when },
    ownNameChanged: { fullName: 'Lotte Janssens', username: 'lotte@elan.example', when },
    usernameLink: { linkHours: '72', link: LINK },
    hiddenMessage: {},
    newLogin: {
      fullName: 'Lotte Janssens',
      username: 'lotte@elan.example',
      at: when,
      address: '192.0.2.1',
      country: '',
      system: 'Windows 10',
      browser: 'Firefox 145.0',
      serviceKey: 'Billing',
    },
    newLoginWithLink: {
      fullName: 'Lotte Janssens',
      username: 'lotte@elan.example',
      at: when,
      address: '192.0.2.1',
      country: '',
      system: '',
      browser: '',
      serviceKey: '',
      linkHours: '72',
      link: LINK,
    },
  };
};

/** The record that notifications of a class are about. */
const RECORDS: Readonly<Record<string, string>> = {
  User: 'lotte@elan.example',
  Organisation: 'Imprimerie Élan',
  Contact: 'alarm@elan.example',
  Grant: 'Atelier Vermeer',
  Invitation: 'Lotte Janssens',
  Webhook: 'https://hooks.elan.example',
  Document: 'Factuur 2026-117',
};

const KEY = 'deploy';

/** Values for the params of all kinds. */
const PARAMS: Readonly<Record<string, unknown>> = {
  expires: '2026-12-05 11:00 UTC',
  until: '2026-12-05 11:00 UTC',
  from: '2026-11-21 11:00 UTC',
  to: '2026-12-01 11:00 UTC',
  recoveryCodesLeft: 9,
  reason: 'Ticket 117',
  program: 'Billing',
  email: 'lotte@elan.example',
};

function toldOf({ name, kind }: NamedKind, language: MailLanguage): DeliveredNotification {
  const params = Object.entries(PARAMS).filter(([param]) => param in (kind.params ?? {}));
  return {
    kind,
    language,
    recipientKind: 'contact',
    recipientName: '',
    organisation: 'Imprimerie Élan',
    isRedacted: false,
    links: name === 'Document.sent' ? [LINK] : [],
    entityId: 12,
    entityName: name === 'User.new' ? 'Lotte Janssens' : (RECORDS[kind.entityClass] ?? KEY),
    isWritten: false,
    subject: null,
    params: Object.fromEntries(params),
    actor: kind.cause === undefined ? 'Élise Martin' : null,
    isOwnAct: kind.cause !== undefined,
    owner: 'Lotte Janssens',
    at: AT,
  };
}

/**
 * A kind as its contacts get it, and as its user gets it: of an own act, and of one of somebody else where
 * there can be one.
 */
function mailsOfKind(named: NamedKind, language: MailLanguage, sender: Sender): SampleMail[] {
  const told = toldOf(named, language);
  const own = { ...told, recipientKind: 'own', recipientName: 'Lotte Janssens' } as const;
  const contacts: Readonly<Record<string, DeliveredNotification>> = named.kind.recipients.some(
    (one) => one === 'removedAddress',
  )
    ? { contacts: told, 'address that goes': { ...told, recipientKind: 'removed' } }
    : { contacts: told };
  const all: Readonly<Record<string, DeliveredNotification>> =
    named.kind.toUser === undefined
      ? contacts
      : {
          ...contacts,
          user: { ...own, isOwnAct: true, actor: told.actor === null ? null : 'Lotte Janssens' },
          ...(told.isOwnAct ? {} : { 'user, by another': { ...own, isOwnAct: false } }),
          unverified: { ...own, isRedacted: true },
        };
  return Object.entries(all).map(([whom, one]) => ({
    name: `${named.name} (${whom})`,
    ...renderMail(notificationMail(one, sender, sender), language, sender),
  }));
}

/** Every mail that the service writes by itself, in a language. */
export const sampleMails = (language: MailLanguage, sender = SAMPLE_SENDER): SampleMail[] => [
  ...Object.entries(valuesIn(language)).map(([template, values]) => ({
    name: template,
    ...renderMail({ template, values } as MailContent, language, sender),
  })),
  ...DECLARED_KINDS.flatMap((named) => mailsOfKind(named, language, sender)),
];
