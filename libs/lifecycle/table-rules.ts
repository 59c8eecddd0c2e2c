import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Settings } from '@app/config/settings';
import type { ConstraintErrors } from '@app/platform/errors/api-error';
import type { AfterRestore } from './after-restore';
import type { AuditedTable } from './audited-table';
import type { DataCheck } from './data-check';
import { DELETED_WITH_USERS, deletedRows, type DeletionMethods, type DeletionRules } from './deletions';
import type { EncryptedColumn } from './encrypted-columns';
import { type DeclaredTexts, DELETED_WITH_USER, type PersonalData, storedBy } from './personal-data';
import type { TableGauges } from './table-gauges';
import type { UserEventHandler } from './user-events';

/**
 * What happens to the rows of a table and needs providers: a class of the domain's module. Each method stands
 * in the place of the rule of its name; `handle` comes before that of the rules.
 */
export type TableHandler = Partial<DeletionMethods & UserEventHandler>;

/**
 * What is true of one table: rules for its rows at deletions, exports, clean-ups, and in restored
 * databases, the errors of its constraints, who reads its changes. Its domain declares them as data;
 * `libs/service/extensions.module.ts` lists them in their order. A table's rules for deletion and for
 * personal data may have different places in the list.
 */
export interface TableRules
  extends Partial<Omit<DeletionRules & PersonalData, 'table'>>, Partial<UserEventHandler>, DeclaredTexts {
  readonly table: string;
  /** The errors of the table's constraints. */
  readonly constraintErrors?: ConstraintErrors;
  /** SQL condition for rows that the worker's clean-up deletes. */
  readonly outdated?: string;
  /** Statements of the clean-up, if a condition is not enough (`CleanUpHandler`). */
  readonly cleanUp?: (retention: Settings['retention']) => readonly string[];
  /**
   * Who sees which columns of its changes in the audit log, if triggers write them there. Nobody sees a
   * column that is not named.
   */
  readonly audited?: AuditedTable;
  readonly encrypted?: readonly EncryptedColumn[];
  /** Required for credentials: {@link CredentialRules}. */
  readonly afterRestore?: AfterRestore;
  readonly gauges?: TableGauges;
  /** What `cli verify` looks for beyond what constraints hold. */
  readonly checks?: readonly DataCheck[];
  /** Found among the providers of all modules. */
  readonly handler?: Type<TableHandler>;
}

/**
 * Rules of a table whose rows let somebody in, or hold what does. A test requires them for every table with
 * a digest or a secret.
 */
export type CredentialRules = TableRules & Required<Pick<TableRules, 'afterRestore'>>;

interface UserTable extends Omit<TableRules, 'table'> {
  readonly part: string;
  readonly about: string;
  /**
   * The SELECT list of an export, whose rows are ordered by its first column; or a
   * function that reads the records.
   */
  readonly exported: string | PersonalData['stored'];
  /**
   * SQL for the time when a row was added, or got its present key or address. A reset that gives the former
   * name back deletes the rows since some days before it was changed (rule recovery 27).
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
  stored:
    typeof exported === 'string'
      ? storedBy(`SELECT ${exported} FROM ${table} WHERE user_id = $1 ORDER BY 1`)
      : exported,
  ...(addedAt !== undefined && {
    handle: deletionSince(`DELETE FROM ${table} WHERE user_id = $1 AND ${addedAt} >= $2`),
  }),
  ...rules,
});

/** A table of credentials that belong to users. */
export const userCredentials = (
  table: string,
  rules: UserTable & Pick<CredentialRules, 'afterRestore'>,
): TableRules & DeletionRules & PersonalData => userTable(table, rules);

type OrganisationTable = Pick<
  TableRules,
  | 'outdated'
  | 'cleanUp'
  | 'constraintErrors'
  | 'audited'
  | 'encrypted'
  | 'afterRestore'
  | 'gauges'
  | 'checks'
  | 'handler'
  | 'otherTexts'
>;

/** A table whose rows belong to organisations (`organisation_id`) and are deleted with them. */
export const organisationTable = (
  table: string,
  whyWithoutUsers: string,
  rules: OrganisationTable = {},
): TableRules & DeletionRules => ({
  table,
  withUsers: whyWithoutUsers,
  withOrganisation: deletedOfOrganisation(table),
  ...rules,
});

/** A table of credentials that belong to organisations. */
export const organisationCredentials = (
  table: string,
  whyWithoutUsers: string,
  rules: OrganisationTable & Pick<CredentialRules, 'afterRestore'>,
): TableRules & DeletionRules => organisationTable(table, whyWithoutUsers, rules);

export const deletedOfOrganisation = (table: string) =>
  deletedRows(`DELETE FROM ${table} WHERE organisation_id = $1`);

const deletionSince =
  (statement: string): UserEventHandler['handle'] =>
  async (manager: EntityManager, event) => {
    if (event.kind === 'passwordReset' && event.untrustedSince !== undefined)
      await manager.query(statement, [event.userId, event.untrustedSince]);
  };

/** The rules with what their handler does. */
export const handledBy = (rules: TableRules, handler: TableHandler): TableRules => {
  const { withUsers, withOrganisation, handle } = handler;
  return {
    ...rules,
    ...(withUsers && { withUsers: withUsers.bind(handler) }),
    ...(withOrganisation && { withOrganisation: withOrganisation.bind(handler) }),
    ...(handle && {
      handle: async (manager, event) => {
        await handle.call(handler, manager, event);
        await rules.handle?.(manager, event);
      },
    }),
  };
};
