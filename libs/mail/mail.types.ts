import type { JobPriority } from '@app/platform/jobs/job-priorities';

/** Languages that mails are written in. */
export type MailLanguage = 'nl' | 'en' | 'fr';

type Values<Name extends string> = Readonly<Record<Name, string>>;

/** When it happened (see `dateIn`). A mail of another build may not say it. */
type When = Readonly<Partial<Record<'when', string>>>;

type LoginFacts = Values<
  'fullName' | 'username' | 'at' | 'address' | 'country' | 'system' | 'browser' | 'serviceKey'
>;

/** A button to a page of the settings: the control panel, or the page of a lost password. */
export type CallToActionTarget = 'panel' | 'newPassword';

/** An event notification in words. A mail of another build may have no `callToAction`. */
type NotificationText = Values<'subject' | 'text'> & { readonly callToAction?: CallToActionTarget };

/** `contact`: the address is one that comes or goes with the event, and may be no contact any more. */
type ToContact = Values<'organisation'> & { readonly contact?: 'removed' };

/**
 * The mails of the service, and the values in their texts. Secrets are credentials,
 * encrypted while the mail waits.
 */
interface MailContents {
  /**
   * `fullName`, `username` (the one that holds after the reset) and `organisation` are empty for an
   * unverified address. `linkMinutes`, `codeMinutes`: lifetime of link and code.
   */
  readonly reset: {
    readonly values: Values<'fullName' | 'username' | 'organisation' | 'linkMinutes' | 'codeMinutes'>;
    readonly secrets: Values<'link' | 'code'>;
  };
  /**
   * `organisation`, `inviter`: cut and quoted (`quotedInShort`); `endDate`: end of the link (see `dateIn`).
   */
  readonly invitation: {
    readonly values: Values<'organisation' | 'inviter' | 'endDate'>;
    readonly secrets: Values<'link'>;
  };
  /** `username`: the former name. */
  readonly usernameChanged: { readonly values: Values<'fullName' | 'username'> & When };
  /**
   * The users changed their own name; the former mailbox is told, with a button to ask for a new password.
   */
  readonly ownNameChanged: { readonly values: Values<'fullName' | 'username'> & When };
  /**
   * Asks whoever reads the mails of an unverified user name to confirm it. It holds no text that a user
   * chose.
   */
  readonly usernameLink: { readonly values: Values<'linkHours'>; readonly secrets: Values<'link'> };
  /**
   * `at`: time of the login (see `dateIn`). `country`, `system`, `browser`: in words, empty if unknown; never
   * a text that the client sent.
   */
  readonly newLogin: { readonly values: LoginFacts };
  /** New login, with a `link` that ends it and is valid for `linkHours`. */
  readonly newLoginWithLink: {
    readonly values: LoginFacts & Values<'linkHours'>;
    readonly secrets: Values<'link'>;
  };
  /** A user has registered. `organisation`: its name; `username`: what the user logs in with. */
  readonly welcome: { readonly values: Values<'fullName' | 'organisation' | 'username'> };
  /** `subject`: one line; `text`: greeting, what happened and advice, in paragraphs. */
  readonly notification: { readonly values: NotificationText & ToContact };
  /** Notification with `links`, one per line. */
  readonly linkedNotification: { readonly values: NotificationText & ToContact & Values<'links'> };
  /** Notification for the user whom the event concerns. */
  readonly ownNotification: { readonly values: NotificationText & Values<'organisation'> };
  /** The same for an unverified user name. It holds no text that a user chose. */
  readonly unverifiedNotification: { readonly values: Values<'subject' | 'text'> };
  /** Somebody of an organisation wrote a message, whose words the address does not get. */
  readonly hiddenMessage: { readonly values: Values<never> };
}

export type MailTemplate = keyof MailContents;

/** Values and secrets together, for the text of the mail. */
export type MailValues<Template extends MailTemplate> = MailContents[Template]['values'] &
  (MailContents[Template] extends { readonly secrets: infer Secrets } ? Secrets : unknown);

export type MailContent = {
  [Template in MailTemplate]: { readonly template: Template; readonly values: MailValues<Template> };
}[MailTemplate];

/** A button whose link comes from a setting. Without the setting it is left out. */
export interface CallToAction {
  readonly callToAction: CallToActionTarget;
  readonly label: string;
}

/** A paragraph: a text, or links, one per line. In HTML they are buttons with the label. */
export type Paragraph = string | { readonly link: string; readonly label: string } | CallToAction;

/** A mail in one language: its subject, then its paragraphs. */
export type MailText = readonly [subject: string, ...paragraphs: Paragraph[]];

/** The operator, or its brand, when the mail is sent; empty if the settings do not name it. */
type FromCompany = Values<'company'>;

/** Every mail in one language. */
export type MailTexts = {
  readonly [Template in MailTemplate]: (mail: MailValues<Template> & FromCompany) => MailText;
};

/** The order in which waiting mails are sent. */
export const MAIL_PRIORITIES: Readonly<Record<MailTemplate, JobPriority>> = {
  reset: 'urgent',
  usernameChanged: 'urgent',
  ownNameChanged: 'urgent',
  newLogin: 'urgent',
  newLoginWithLink: 'urgent',
  usernameLink: 'urgent',
  welcome: 'urgent',
  ownNotification: 'urgent',
  unverifiedNotification: 'urgent',
  invitation: 'invitation',
  notification: 'bulk',
  linkedNotification: 'bulk',
  hiddenMessage: 'bulk',
};

/**
 * Mails that a person waits for and that have bounds of their own: they leave at once. All others are
 * released.
 */
export const AT_ONCE: ReadonlySet<MailTemplate> = new Set<MailTemplate>(['reset', 'usernameLink']);

/** The delivery that a mail belongs to: to a recipient of a notification, or to an invited person. */
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
  /** After this time, by the database's clock, the mail is dropped. */
  readonly expiresAt?: Date | undefined;
  /** The organisation that the link leads to. The mail waits while it is suspended. */
  readonly opens?: number;
  readonly outcomeOf?: MailReference;
  /** The user to whom it is written: an erasure of the user withdraws it, whoever has the address too. */
  readonly userId?: number;
};

/** The organisation whose people a mail is written to: it carries the brand of that. */
export interface ForPeopleOf {
  readonly organisationId: number;
}

/** The encryption context of a mail's secrets. */
export const mailContext = (mailId: string): string => `mail:${mailId}`;
