import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ConstraintErrors } from '@app/platform/errors/api-error';
import { DELETED_WITH_USERS, deletedRows, type DeletionRules } from './deletions';
import { DELETED_WITH_USER, type PersonalData, storedBy } from './personal-data';
import type { TakeoverRule } from './takeovers';
import type { UserEventHandler } from './user-events';

/**
 * Rules for the rows of a table at deletions, exports, clean-ups and restored names, and the errors of its
 * constraints. Its domain declares them as data; `libs/service/extensions.module.ts` lists them in their
 * order. A table's rules for deletion and for personal data may have different places in the list.
 */
export interface TableRules
  extends
    Partial<Omit<DeletionRules & PersonalData, 'table'>>,
    Partial<UserEventHandler>,
    Partial<TakeoverRule> {
  readonly table: string;
  /** The errors of the table's constraints. */
  readonly constraintErrors?: ConstraintErrors;
  /** SQL condition for rows that the worker's clean-up deletes. */
  readonly outdated?: string;
  /** Statements of the clean-up, if a condition is not enough (`CleanUpHandler`). */
  readonly cleanUp?: readonly string[];
}

/** Rules, or a function that makes them from providers. */
export type TableRulesOf = TableRules | ((provider: <T>(type: Type<T>) => T) => TableRules);

interface UserTable extends Omit<TableRules, 'table'> {
  readonly part: string;
  readonly about: string;
  /**
   * The SELECT list of an export, whose rows are ordered by its first column; or a
   * function that reads the records.
   */
  readonly exported: string | PersonalData['stored'];
  /**
   * SQL for the time when a row was added. Users who restore an older name lose the rows
   * added since the name changed.
   */
  readonly addedAt?: string;
}

/**
 * A table whose rows belong to users (`user_id`). An export contains them, and they
 * are deleted with their user.
 */
export const userTable = (table: string, { exported, addedAt, ...rules }: UserTable) => ({
  table,
  withUsers: deletedRows(`DELETE FROM ${table} WHERE user_id = ANY ($1::integer[])`),
  withOrganisation: DELETED_WITH_USERS,
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
  rules: Pick<TableRules, 'outdated' | 'cleanUp' | 'constraintErrors' | 'endTakeover'> = {},
): TableRules & DeletionRules => ({
  table,
  withUsers: whyWithoutUsers,
  withOrganisation: deletedOfOrganisation(table),
  ...rules,
});

export const deletedOfOrganisation = (table: string) =>
  deletedRows(`DELETE FROM ${table} WHERE organisation_id = $1`);

const deletionSince =
  (statement: string): UserEventHandler['handle'] =>
  async (manager: EntityManager, event) => {
    if (event.kind === 'nameRestored') await manager.query(statement, [event.userId, event.since]);
  };
