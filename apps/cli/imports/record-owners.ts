import type { EntityManager } from 'typeorm';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import {
  type Amount,
  type Finding,
  identifierIn,
  type Missing,
  refused,
  type SourceValues,
} from './import-kind';

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

/** Throws {@link ValidationFailed} unless a row has exactly one owner. */
export function assertOneOwner(reference: OwnerReference, names: readonly (keyof OwnerReference)[]): void {
  if (names.filter((name) => reference[name] !== undefined).length === 1) return;
  throw ValidationFailed.on(
    names[0] ?? 'username',
    fieldError('INVALID', `Exactly one of ${names.join(', ')} should be given.`),
  );
}

/** The owner in a row of a file, only for {@link assertOneOwner}. An empty cell is no owner. */
export const givenOwner = (values: Readonly<Record<string, unknown>>): OwnerReference =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null));

export const NO_ORGANISATION = 'This organisation does not exist.';

/** The refusal of a row whose owner does not exist. */
export const ownerMissing = (reference: OwnerReference): Finding<never> =>
  refused(...missingOwner(reference));

function missingOwner({ username, organisationId }: OwnerReference): [field: string, message: string] {
  if (organisationId !== undefined) return ['organisationId', NO_ORGANISATION];
  return [username === undefined ? 'userId' : 'username', 'This user does not exist.'];
}

/** The missing owners of bad rows. Rows without exactly one owner are left to {@link assertOneOwner}. */
export async function missingOwners(
  manager: EntityManager,
  rows: readonly SourceValues[],
  names: readonly (keyof OwnerReference)[],
): Promise<Missing[]> {
  const references = rows.map((values): OwnerReference => {
    const given = names.filter(
      (name) => values[name] !== undefined && values[name] !== null && values[name] !== '',
    );
    const [name] = given;
    if (name === undefined || given.length > 1) return {};
    const { username } = values;
    if (name !== 'username') return { [name]: identifierIn(values, name) };
    return typeof username === 'string' ? { username } : {};
  });
  const owners = await findOwners(
    manager,
    references.map((owner) => ({ owner })),
  );
  return references.map((reference, place) =>
    owners[place] !== undefined || Object.values(reference).every((value) => value === undefined)
      ? {}
      : Object.fromEntries([missingOwner(reference)]),
  );
}

interface FoundUser {
  readonly id: number;
  readonly organisationId: number;
  readonly name: string;
}

const isGiven = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** The owners of rows, in the order of the rows; undefined for a missing one. */
export async function findOwners(
  manager: EntityManager,
  rows: readonly { readonly owner: OwnerReference }[],
): Promise<(RecordOwner | undefined)[]> {
  const references = rows.map(({ owner }) => owner);
  const names = references.map(({ username }) => username?.toLowerCase()).filter(isGiven);
  const userIds = references.map(({ userId }) => userId).filter(isGiven);
  const users = await manager.query<FoundUser[]>(
    `SELECT id, organisation_id AS "organisationId", lower(username) AS name FROM users
     WHERE deleted_at IS NULL AND lower(username) = ANY ($1)
     UNION
     SELECT id, organisation_id, lower(username) FROM users WHERE deleted_at IS NULL AND id = ANY ($2)`,
    [names, userIds],
  );
  const organisationIds = await liveOrganisations(
    manager,
    references.map(({ organisationId }) => organisationId).filter(isGiven),
  );
  const byName = new Map(users.map((user) => [user.name, user]));
  const byId = new Map(users.map((user) => [user.id, user]));
  return references.map(({ username, userId, organisationId }) => {
    if (organisationId !== undefined) {
      return organisationIds.has(organisationId) ? { organisationId, userId: null } : undefined;
    }
    const user = username === undefined ? byId.get(userId ?? 0) : byName.get(username.toLowerCase());
    return user && { organisationId: user.organisationId, userId: user.id };
  });
}

/** The given organisations that exist. */
export async function liveOrganisations(
  manager: EntityManager,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await manager.query<{ id: number }[]>(
    'SELECT id FROM organisations WHERE id = ANY ($1) AND deleted_at IS NULL',
    [[...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The missing organisations of bad rows; undefined is ignored. */
export async function missingOrganisations(
  manager: EntityManager,
  ids: readonly (number | undefined)[],
): Promise<Missing[]> {
  const live = await liveOrganisations(manager, ids.filter(isGiven));
  return ids.map((id): Missing =>
    id === undefined || live.has(id) ? {} : { organisationId: NO_ORGANISATION },
  );
}

/** A table, with the limits that its triggers enforce for an owner. */
export interface LimitedTable {
  readonly table: 'contacts' | 'ssh_keys' | 'api_keys';
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
 * Makes deletions of the owners wait for the end of this transaction: a record that is added after a deletion would remain
 * forever. Locks in the order of identifiers, so that two transactions do not block each other.
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
