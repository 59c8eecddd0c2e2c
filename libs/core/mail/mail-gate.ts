import type { Ordered } from '../discovery/ordered-providers';

/**
 * Says whether an organisation lets nobody in for the time being: a mail with a way into it (`OutgoingMail.opens`)
 * waits meanwhile. A provider of any module that extends this class is found by itself.
 */
export abstract class MailGate implements Ordered {
  abstract readonly position: number;

  abstract isClosed(organisationId: number): Promise<boolean>;
}
