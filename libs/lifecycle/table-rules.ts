import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type DeletionRules, deletedRows, GOES_WITH_ITS_USERS, stays } from './deletions';
import { DELETED_WITH_USER, type PersonalData, storedBy } from './personal-data';
import type { UserEventHandler } from './user-events';

/**
 * Rules for the rows of a table at deletions, exports and clean-ups. Its domain declares them as data; `libs/service/extensions.ts`
 * lists them in their order. Rules with deletion and personal data may stand at two places of the list.
 */
export interface TableRules
  extends Partial<Omit<DeletionRules & PersonalData, 'table'>>, Partial<UserEventHandler> {
  readonly table: string;
  /** SQL condition of rows that the worker's clean-up deletes. */
  readonly outdated?: string;
  /** Statements of the clean-up that say more than a condition (`CleanUpHandler`). */
  readonly cleanUp?: readonly string[];
}

/** Rules, or a function that makes them of the providers that they need. */
export type TableRulesOf = TableRules | ((provider: <T>(type: Type<T>) => T) => TableRules);

interface UserTable extends Omit<TableRules, 'table'> {
  readonly part: string;
  readonly about: string;
  /** The SELECT list of an export, whose rows are ordered by its first column; or how it reads them. */
  readonly exported: string | PersonalData['stored'];
  /** SQL of the time at which a row came in: users who take an older name back lose the rows since it was changed. */
  readonly addedAt?: string;
}

/** A table whose rows belong to users (`user_id`): an export shows them, and they are deleted with their user. */
export const userTable = (table: string, { exported, addedAt, ...rules }: UserTable) => ({
  table,
  withUsers: deletedRows(`DELETE FROM ${table} WHERE user_id = ANY ($1::integer[])`),
  withOrganisation: GOES_WITH_ITS_USERS,
  erase: DELETED_WITH_USER,
  isOfUser: true,
  stored:
    typeof exported === 'string'
      ? storedBy(`SELECT ${exported} FROM ${table} WHERE user_id = $1 ORDER BY 1`)
      : exported,
  ...(addedAt !== undefined && {
    handle: deletionSince(`DELETE FROM ${table} WHERE user_id = $1 AND ${addedAt} >= $2`),
  }),
  ...rules,
});

/** A table whose rows belong to organisations (`organisation_id`) and are deleted with them. */
export const organisationTable = (
  table: string,
  whyWithoutUsers: string,
  rules: Pick<TableRules, 'outdated' | 'cleanUp'> = {},
): TableRules & DeletionRules => ({
  table,
  withUsers: stays(whyWithoutUsers),
  withOrganisation: deletedOfOrganisation(table),
  ...rules,
});

/** Deletes the rows of an organisation (`organisation_id`). */
export const deletedOfOrganisation = (table: string) =>
  deletedRows(`DELETE FROM ${table} WHERE organisation_id = $1`);

const deletionSince =
  (statement: string): UserEventHandler['handle'] =>
  async (manager: EntityManager, event) => {
    if (event.kind === 'nameRestored') await manager.query(statement, [event.userId, event.since]);
  };
