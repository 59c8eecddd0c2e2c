import type { EntityManager } from 'typeorm';
import type { Ordered } from '../discovery/ordered-providers';

/** Why rows stay as they are. */
export interface Stays {
  readonly stays: string;
}

/** Takes away, or changes, what must not be left behind of users: of all of them in the same statements. */
type UsersRule = (manager: EntityManager, userIds: readonly number[]) => Promise<unknown>;

/** Takes away, or changes, what must not be left behind of an organisation. */
type OrganisationRule = (manager: EntityManager, organisationId: number) => Promise<unknown>;

export const stays = (why: string): Stays => ({ stays: why });

/** For a table whose rows belong to users: those of an organisation are deleted with it, as if one by one. */
export const GOES_WITH_ITS_USERS = stays('the rows belong to users, and go with those of the organisation');

/**
 * Says what becomes of the rows of one table when users or an organisation are deleted. A provider of any module
 * that extends this class is found by itself; it belongs to the domain that owns the table. A test demands one for
 * every table with a foreign key to users or organisations.
 */
export abstract class DeletionHandler implements Ordered {
  abstract readonly table: string;

  /**
   * Locks are taken in the order of positions, after that of the deleted row itself: another transaction that locks
   * rows of several tables takes them in this order too.
   */
  abstract readonly position: number;

  abstract readonly withUsers: UsersRule | Stays;

  abstract readonly withOrganisation: OrganisationRule | Stays;
}
