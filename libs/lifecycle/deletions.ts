import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What happens to the rows of one table when users or an organisation are deleted. */
export interface DeletionMethods {
  /** Deletes or changes the rows of all deleted users, by one statement for each table. */
  withUsers(manager: EntityManager, userIds: readonly number[]): Promise<unknown>;
  /** `deletions` deletes what belongs to users that go with the organisation. */
  withOrganisation(manager: EntityManager, organisationId: number, deletions: Deletions): Promise<unknown>;
}

/** For rows of users: an organisation is deleted with its users, and their rows with them. */
export const DELETED_WITH_USERS = 'the rows belong to users, and go with those of the organisation';

/**
 * Rules for the rows of one table when users or an organisation are deleted, or in words why the rows stay as
 * they are. A test requires them for every table that refers to either.
 */
export interface DeletionRules {
  readonly table: string;
  readonly withUsers: DeletionMethods['withUsers'] | string;
  readonly withOrganisation: DeletionMethods['withOrganisation'] | string;
}

/** A rule that runs one statement, with the ids of the users or the id of the organisation as $1. */
export const deletedRows =
  (statement: string) =>
  (manager: EntityManager, owner: number | readonly number[]): Promise<unknown> =>
    manager.query(statement, [owner]);

/** Runs all rules in the transaction of the deletion. */
@Injectable()
export class Deletions {
  /** In the order of execution. */
  handlers: readonly DeletionRules[] = [];

  /** Call it after the update of the users' rows: every change of a user's data locks those rows first. */
  async usersDeleted(manager: EntityManager, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    for (const { withUsers } of this.handlers) {
      if (typeof withUsers === 'function') await withUsers(manager, userIds);
    }
  }

  /** Call it after the update of the organisation's row. */
  async organisationDeleted(manager: EntityManager, organisationId: number): Promise<void> {
    for (const { withOrganisation } of this.handlers) {
      if (typeof withOrganisation === 'function') await withOrganisation(manager, organisationId, this);
    }
  }
}
