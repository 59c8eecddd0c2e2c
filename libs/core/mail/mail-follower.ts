import type { Ordered } from '../discovery/ordered-providers';

/** What became of a mail in the end. */
export interface MailOutcome {
  readonly status: 'sent' | 'failed' | 'skipped';
  /** Why it failed, else empty. */
  readonly message: string;
}

/**
 * Keeps what became of mails that carry a reference (`OutgoingMail.reference`). A provider of any module that extends
 * this class is found by itself, and is asked about every such mail.
 */
export abstract class MailFollower implements Ordered {
  abstract readonly position: number;

  abstract follow(reference: string, outcome: MailOutcome): Promise<void>;
}
