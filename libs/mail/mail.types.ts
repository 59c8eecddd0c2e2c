import type { JobPriority } from '@app/platform/jobs/queue-job';

/** The job that sends one mail. */
export const SEND_MAIL = 'mail.send';

/** Languages that mails are written in. */
export type MailLanguage = 'nl' | 'en' | 'fr';

type Values<Name extends string> = Readonly<Record<Name, string>>;

type LoginFacts = Values<'firstName' | 'username' | 'at' | 'address' | 'country' | 'system' | 'browser'>;

/** The mails that the service sends, and the values of their texts. Secrets are credentials and wait encrypted. */
interface MailContents {
  /** `linkMinutes`, `codeMinutes`: how long link and code are valid. */
  readonly reset: {
    readonly values: Values<'firstName' | 'linkMinutes' | 'codeMinutes'>;
    readonly secrets: Values<'link' | 'code'>;
  };
  /** `inviter`: full name; `endDate`: until when the link is valid (see `dateIn`). */
  readonly invitation: {
    readonly values: Values<'firstName' | 'organisation' | 'inviter' | 'endDate'>;
    readonly secrets: Values<'link'>;
  };
  /** `username`: the old one. */
  readonly usernameChanged: { readonly values: Values<'firstName' | 'username'> };
  /** Changed user name, by the user; `link` restores the old name and is valid for `linkHours`. */
  readonly ownNameChanged: {
    readonly values: Values<'firstName' | 'username' | 'linkHours'>;
    readonly secrets: Values<'link'>;
  };
  /**
   * `at`: when somebody logged in (see `dateIn`). `country`, `system`, `browser`: in words, empty if unknown; never a text
   * that the client sent.
   */
  readonly newLogin: { readonly values: LoginFacts };
  /** New login with a `link` that ends it and is valid for `linkHours`. */
  readonly newLoginWithLink: {
    readonly values: LoginFacts & Values<'linkHours'>;
    readonly secrets: Values<'link'>;
  };
  /** `subject`: one line; `text`: what happened, in a sentence. */
  readonly notification: { readonly values: Values<'organisation' | 'subject' | 'text'> };
  /** Notification with `links`, one a line. */
  readonly linkedNotification: { readonly values: Values<'organisation' | 'subject' | 'text' | 'links'> };
  /** Notification for the user that the event concerns. */
  readonly ownNotification: { readonly values: Values<'organisation' | 'subject' | 'text'> };
}

export type MailTemplate = keyof MailContents;

/** Values and secrets together, as the text of the mail uses them. */
export type MailValues<Template extends MailTemplate> = MailContents[Template]['values'] &
  (MailContents[Template] extends { readonly secrets: infer Secrets } ? Secrets : unknown);

/** Content of a mail. */
export type MailContent = {
  [Template in MailTemplate]: { readonly template: Template; readonly values: MailValues<Template> };
}[MailTemplate];

/** A button to a place that the settings name; left out where they name none. */
export interface Lead {
  readonly lead: 'panel' | 'newPassword';
  readonly label: string;
}

/** A paragraph: a text, or links, one a line, which are buttons with the label in HTML. */
export type Paragraph = string | { readonly link: string; readonly label: string } | Lead;

/** A mail in one language: its subject, then its paragraphs. */
export type MailText = readonly [subject: string, ...paragraphs: Paragraph[]];

/** Every mail in one language. */
export type MailTexts = {
  readonly [Template in MailTemplate]: (mail: MailValues<Template>) => MailText;
};

/** The order in which waiting mails go. */
export const MAIL_PRIORITIES: Readonly<Record<MailTemplate, JobPriority>> = {
  reset: 'urgent',
  usernameChanged: 'urgent',
  ownNameChanged: 'urgent',
  newLogin: 'urgent',
  newLoginWithLink: 'urgent',
  ownNotification: 'urgent',
  invitation: 'invitation',
  notification: 'bulk',
  linkedNotification: 'bulk',
};

/** The delivery that the outcome of a mail settles: to a recipient of a notification, or to an invited person. */
export interface MailReference {
  readonly kind: 'recipient' | 'invitation';
  readonly id: number;
}

/** A mail to be written and sent later. */
export type OutgoingMail = {
  [Template in MailTemplate]: { readonly template: Template } & MailContents[Template];
}[MailTemplate] & {
  /** A plain e-mail address (see `isPlainEmailAddress`). */
  readonly to: string;
  readonly language: MailLanguage;
  /** From this time of the database's clock on, the mail is dropped. */
  readonly expiresAt?: Date | undefined;
  /** The organisation whose hourly budget pays for the mail; absent: none (see `MailBudget`). */
  readonly chargedTo?: number;
  /** The organisation that the link leads into; the mail waits while it is suspended. */
  readonly opens?: number;
  readonly settles?: MailReference;
};

/** The context that the encryption of a mail's secrets is bound to. */
export const mailContext = (mailId: string): string => `mail:${mailId}`;
