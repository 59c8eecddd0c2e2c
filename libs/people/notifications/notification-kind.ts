import type { CallToActionTarget } from '@app/mail/mail.types';
import type { Role } from '@app/security/access/roles';
import type { ExtraRecipient, NotificationGroup } from './notification.types';

/** A text in each language. */
export type Phrase = readonly [dutch: string, english: string, french: string];

/**
 * Whom a kind of notification tells. `contacts`: those of the organisation and of its CUSTADMINs that enabled
 * the group; `allContacts`: also those of its other users; `user`: the user whom it is about, at the
 * addresses of the account; `removedAddress`, `invited`: addresses that each notification gives
 * (`RecipientKind`).
 */
export type RecipientGroup = 'contacts' | 'allContacts' | 'user' | 'removedAddress' | 'invited';

/** `canWait`: no person waits for it, so the mail to the user has no priority; `prompt`: all else. */
type Urgency = 'prompt' | 'canWait';

/**
 * What the reader can do, with a button to where it is done. `{operator}` in the words names the operator,
 * also in mails in the name of a reseller.
 */
export interface Advice {
  readonly words: Phrase;
  readonly callToAction?: CallToActionTarget;
}

/** What the mails to the user itself say. */
interface WordsToUser {
  readonly sentence: Phrase;
  /** Where somebody else did it, the mail advises to ask a manager instead. */
  readonly advice: Advice;
}

/** A kind of the service's own notifications, as its domain declares it. */
export interface NotificationKind {
  /** The class of the records that it is about, for example `Webhook`. */
  readonly entityClass: string;
  /** What happened to the record, for example `new`. */
  readonly type: string;
  readonly group: NotificationGroup;
  /** Subject of the mails: what happened, without a name. */
  readonly heading: Phrase;
  /**
   * What happened to what, who did it and when, as the mails to the contacts say it. Places: `{record}` is
   * its name in quotation marks; `{whose}`, of which user, ` of the user “Jan”`; `{done}`, by whom and when,
   * ` by “Jan” on 3 May at 14:05`; `{at}`, when alone. The last three bring their space, and are empty where
   * nobody knows. `{param}` is the value of a param, which then has no line of its own.
   */
  readonly sentence: Phrase;
  readonly recipients: readonly RecipientGroup[];
  /** Required of a kind that tells the user whom it is about. */
  readonly toUser?: WordsToUser;
  /** A word for each param, in front of its value in the mails. */
  readonly params?: Readonly<Record<string, Phrase>>;
  /** A paragraph of advice to the contacts, after the text. */
  readonly advice?: Advice;
  /** The mails name whom to ask. */
  readonly isLetter?: boolean;
  /** The subject has the name of the record too: who wrote that name sends the mail. */
  readonly isNamedInSubject?: boolean;
  readonly urgency: Urgency;
  /** Of users, only those with one of these roles are told. */
  readonly toRoles?: readonly Role[];
  /**
   * What causes it, where the user who caused it does not say so: `owner`, whoever has the credentials of the
   * user whom it is about; `time`, nobody, because something falls due by itself.
   */
  readonly cause?: 'owner' | 'time';
}

/** The kinds of notifications about the records of a class, by what happens to them. */
export const notificationKinds = <Type extends string>(
  entityClass: string,
  declared: Readonly<Record<Type, Omit<NotificationKind, 'entityClass' | 'type'>>>,
): Readonly<Record<Type, NotificationKind>> =>
  Object.fromEntries(
    Object.entries<Omit<NotificationKind, 'entityClass' | 'type'>>(declared).map(([type, kind]) => [
      type,
      { ...kind, entityClass, type },
    ]),
  ) as Record<Type, NotificationKind>;

/** A notification. `NotificationKinds.assertFits` says what its kind asks for. */
export interface NotificationInput {
  readonly organisationId: number;
  /** The record that it is about. The name is cut to 255 characters. */
  readonly entity: { readonly id: number; readonly name: string };
  /** The user who caused it; null without a login. */
  readonly userId: number | null;
  /** The organisation whose customer caused it, where nobody of that customer acts in this transaction. */
  readonly causedBy?: number;
  /**
   * A user whose contacts got the notifications of the organisation until this act: they get this one too.
   */
  readonly heardBefore?: number;
  /**
   * Links of the mails to contacts. `NotificationLinks` fills in `{contactId}` and `{hash}` for each contact.
   * The process that serves the request chooses them, even if another process sends the mails.
   */
  readonly linkTemplates?: readonly string[];
  /**
   * The user whom it is about, whose names the notification contains; null if the record is not one of a
   * user. Required of a kind that tells this user.
   */
  readonly aboutUserId?: number | null;
  /** `none`: another mail of the event tells the user whom it is about. */
  readonly ownNotification?: 'none';
  /**
   * Further facts for the reader, each with a word in the record of the kind. Never a secret: every user of
   * the organisation can read them.
   */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Addresses of their own: required of a kind that tells any, and of no other. */
  readonly extraRecipients?: readonly ExtraRecipient[];
}
