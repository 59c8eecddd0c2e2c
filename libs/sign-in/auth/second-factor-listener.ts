import type { EntityManager } from 'typeorm';
import type { UndoTemplate } from '@app/mail/mail.types';
import type { NewsOfUser } from '@app/people/notifications/notification-kind';

/** Changes of second factors that their user can undo by a link (rule recovery 83, rule passkeys 36). */
export const UNDOABLE_CHANGES = ['authenticatorAdded', 'passkeyAdded', 'passkeyGoing'] as const;

export type UndoableChange = (typeof UNDOABLE_CHANGES)[number];

/** A second factor of which a user may have several. */
export interface NamedFactor {
  readonly id: number;
  readonly name: string;
}

/** A change with the user, and the login that made it. */
export interface ChangedSecondFactor {
  readonly userId: number;
  readonly loginId: number;
  readonly change: UndoableChange;
  /** Undefined for the authenticator. */
  readonly factor?: NamedFactor;
  /** What the mail to the user says. */
  readonly template: UndoTemplate;
}

/** What the news of a change has of its link. */
export interface UndoableNews {
  /** The name of the user. */
  readonly username: string;
  readonly mail: Pick<NewsOfUser, 'ownMail'>;
}

/**
 * Hears of changes of second factors, in their transaction. The mails with links are of a domain above
 * logins, so `libs/service/extensions.module.ts` binds them.
 */
export abstract class SecondFactorListener {
  /**
   * Opens the link that undoes the change, for the mail to the user. Throws 429 past the changes of a day.
   * Lock the user's row first.
   */
  abstract changed(manager: EntityManager, changed: ChangedSecondFactor): Promise<UndoableNews>;

  /** Somebody else asked the user for a second factor. */
  abstract helped(manager: EntityManager, userId: number): Promise<void>;
}
