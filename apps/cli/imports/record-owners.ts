import type { EntityManager } from 'typeorm';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import type { Amount, SourceValues } from './import-kind';

/** How a row identifies the owner of its record: a user by name or identifier, or an organisation. */
export interface OwnerReference {
  readonly username?: string | undefined;
  readonly userId?: number | undefined;
  readonly organisationId?: number | undefined;
}

/** The owner of a record: the organisation itself if there is no user. */
export interface RecordOwner {
  readonly organisationId: number;
  readonly userId: number | null;
}

/** The owner in a stored record. */
type StoredOwner = Partial<Record<keyof RecordOwner, number | null>>;

/** Identifies an owner. */
export const ownerKey = ({ organisationId, userId }: StoredOwner): string =>
  typeof userId === 'number' ? `user ${userId}` : `organisation ${organisationId}`;

/** A key for each reference, without a query. */
export const referenceKey = ({ username, userId, organisationId }: OwnerReference): string =>
  JSON.stringify([username?.toLowerCase(), userId, organisationId]);

/** The fields that name an owner. An empty cell names none. */
export const ownersIn = (values: OwnerReference | SourceValues, names: readonly (keyof OwnerReference)[]) =>
  names.filter((name) => (values[name] ?? '') !== '');

/** Throws {@link ValidationFailed} unless a row has exactly one owner. */
export function assertOneOwner(
  values: OwnerReference | SourceValues,
  names: readonly (keyof OwnerReference)[],
): void {
  if (ownersIn(values, names).length === 1) return;
  throw ValidationFailed.on(
    names[0] ?? 'username',
    fieldError('INVALID', `Exactly one of ${names.join(', ')} should be given.`),
  );
}

const OWNERS = `
  SELECT id AS "userId", organisation_id AS "organisationId", fold_case(username) AS username FROM users
  WHERE deleted_at IS NULL AND fold_case(username) = ANY ($1)
  UNION
  SELECT id, organisation_id, fold_case(username) FROM users WHERE deleted_at IS NULL AND id = ANY ($2)
  UNION
  SELECT NULL, id, NULL FROM organisations WHERE deleted_at IS NULL AND id = ANY ($3)`;

/** The owners of rows, in the order of the rows; undefined for a missing one. */
export async function findOwners(
  manager: EntityManager,
  rows: readonly { readonly owner: OwnerReference }[],
): Promise<(RecordOwner | undefined)[]> {
  const given = <Value>(valueOf: (owner: OwnerReference) => Value | undefined): Value[] =>
    rows.map(({ owner }) => valueOf(owner)).filter((value) => value !== undefined);
  const found = await manager.query<(RecordOwner & { readonly username: string })[]>(OWNERS, [
    given(({ username }) => username?.toLowerCase()),
    given(({ userId }) => userId),
    given(({ organisationId }) => organisationId),
  ]);
  const byReference = new Map(
    found.flatMap(({ userId, organisationId, username }) => {
      const references = userId === null ? [{ organisationId }] : [{ userId }, { username }];
      return references.map((one) => [referenceKey(one), { userId, organisationId }] as const);
    }),
  );
  return rows.map(({ owner }) => byReference.get(referenceKey(owner)));
}

/** A table, with the limits that its triggers enforce for an owner. */
export interface LimitedTable {
  readonly table: 'contacts' | 'ssh_keys' | 'api_keys' | 'user_preferences';
  readonly limits: { readonly ofUser: number; readonly ofOrganisation?: number };
  readonly errors: Readonly<Record<string, { readonly message: string } | undefined>>;
}

/** The maximum and the present number of an owner's rows in a table. */
export function amountOf({ table, limits, errors }: LimitedTable, owner: RecordOwner, present = 0): Amount {
  const kind = owner.userId === null ? 'organisation' : 'user';
  const most = (kind === 'user' ? limits.ofUser : limits.ofOrganisation) ?? 0;
  return {
    owner: ownerKey(owner),
    present,
    most,
    message: errors[`${table}_limit_of_${kind}`]?.message ?? '',
  };
}

/** The number of each owner's rows in a table, by {@link ownerKey}. */
export async function countsOf(
  manager: EntityManager,
  { table, limits }: LimitedTable,
  { userIds, organisationIds }: OwnerIds,
): Promise<ReadonlyMap<string, number>> {
  const count = (owner: string, condition: string, ids: readonly number[]) =>
    manager.query<{ owner: string; count: number }[]>(
      `SELECT '${owner} ' || ${owner}_id AS owner, count(*)::integer AS count FROM ${table}
       WHERE ${condition} AND ${owner}_id = ANY ($1) GROUP BY ${owner}_id`,
      [ids],
    );
  const rows = await count('user', 'true', userIds);
  if (limits.ofOrganisation !== undefined)
    rows.push(...(await count('organisation', 'user_id IS NULL', organisationIds)));
  return new Map(rows.map((row) => [row.owner, row.count]));
}

/** The identifiers of users, and of organisations that own records themselves. */
export interface OwnerIds {
  readonly userIds: readonly number[];
  readonly organisationIds: readonly number[];
}

export function idsOf(owners: readonly RecordOwner[]): OwnerIds {
  const organisations = owners.filter(({ userId }) => userId === null);
  return {
    userIds: [...new Set(owners.map(({ userId }) => userId).filter((id) => id !== null))],
    organisationIds: [...new Set(organisations.map(({ organisationId }) => organisationId))],
  };
}

/**
 * Makes deletions of the owners wait for the end of this transaction: a record that is added after a deletion
 * would remain forever. Locks in the order of identifiers, so that two transactions do not block each other.
 */
export async function lockOwners(
  manager: EntityManager,
  { userIds, organisationIds }: OwnerIds,
): Promise<void> {
  for (const [table, ids] of [
    ['organisations', organisationIds],
    ['users', userIds],
  ] as const) {
    if (ids.length === 0) continue;
    const locked = await manager.query<unknown[]>(
      `SELECT 1 FROM ${table} WHERE id = ANY ($1) AND deleted_at IS NULL ORDER BY id FOR SHARE`,
      [ids],
    );
    if (locked.length < ids.length) {
      throw ValidationFailed.on(
        'username',
        fieldError('DOES_NOT_EXIST', 'The owner was deleted at this moment.'),
      );
    }
  }
}
