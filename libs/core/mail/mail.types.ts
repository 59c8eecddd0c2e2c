import type { JobPriority } from '../jobs/queue-job';

/** Languages that mails are written in. */
export type MailLanguage = 'nl' | 'en' | 'fr';

/** The mails that the service sends. */
export type MailTemplate =
  | 'reset'
  | 'invitation'
  | 'usernameChanged'
  | 'ownNameChanged'
  | 'notification'
  | 'linkedNotification'
  | 'ownNotification';

/** Which mails go before which. */
export const MAIL_PRIORITIES: Readonly<Record<MailTemplate, JobPriority>> = {
  reset: 'urgent',
  usernameChanged: 'urgent',
  ownNameChanged: 'urgent',
  ownNotification: 'urgent',
  invitation: 'invitation',
  notification: 'bulk',
  linkedNotification: 'bulk',
};

/** What the text of each mail is filled with: every name must be among its values or secrets. */
export const MAIL_VALUES = {
  /** `linkMinutes`, `codeMinutes`: how long link and code are good for. */
  reset: ['firstName', 'linkMinutes', 'codeMinutes', 'link', 'code'],
  /** `inviter`: full name; `endDate`: until when the link is good (see `dateIn`). */
  invitation: ['firstName', 'organisation', 'link', 'inviter', 'endDate'],
  /** `username`: the old one. */
  usernameChanged: ['firstName', 'username'],
  /** The same where the user changed it; `link`: gives the old name back, `linkHours`: for how long. */
  ownNameChanged: ['firstName', 'username', 'linkHours', 'link'],
  /** `subject`: one line; `text`: what happened, in a sentence. */
  notification: ['organisation', 'subject', 'text'],
  /** The same with what it leads to: `links`, one a line. */
  linkedNotification: ['organisation', 'subject', 'text', 'links'],
  /** The same to the user whom it is about. */
  ownNotification: ['organisation', 'subject', 'text'],
} as const satisfies Record<MailTemplate, readonly string[]>;

/** A mail to be written and sent later. */
export interface OutgoingMail {
  readonly template: MailTemplate;
  /** One plain address (see `isPlainEmailAddress`). */
  readonly to: string;
  readonly language: MailLanguage;
  readonly values: Readonly<Record<string, string>>;
  /** Values that are credentials: they wait encrypted. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Not sent from this time on, which the database clock tells. */
  readonly expiresAt?: Date;
  /** The organisation on whose hourly budget it counts; absent: outside of any (see `MailBudget`). */
  readonly chargedTo?: number;
  /** The organisation that its link leads into: while that lets nobody in, the mail waits (see `MailGate`). */
  readonly opens?: number;
  /** Names the mail to whoever keeps what becomes of it (see `MailFollower`). */
  readonly reference?: string;
}

/** The first name that the template needs and the mail does not bring. */
export function missingValue({ template, values, secrets }: OutgoingMail): string | undefined {
  return MAIL_VALUES[template].find((name) => values[name] === undefined && secrets?.[name] === undefined);
}
