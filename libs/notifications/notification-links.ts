import type { Ordered } from '@app/core/discovery/ordered-providers';

/**
 * Makes the hashes of links that mails of notifications carry (`NotificationEvent.linkTemplates`). A provider of any
 * module that extends this class is found by itself.
 */
export abstract class NotificationLinks implements Ordered {
  abstract readonly position: number;

  /** The kind of subject whose links these are. */
  abstract readonly entityClass: string;

  /** A hash that opens the subject to the contact; undefined where one of the two is there no more. */
  abstract newHash(entityId: number, contactId: number): Promise<string | undefined>;
}
