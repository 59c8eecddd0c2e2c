import type { EntityManager } from 'typeorm';
import { fault } from '@app/core/errors/fault';
import { refused, type Finding } from '@app/core/imports/import-kind';
import { ValidationFailed } from '@app/core/errors/api-error';

/** How a row of a file names whose record it is: a user by name or identifier, or an organisation itself. */
export interface OwnerReference {
  readonly username?: string | undefined;
  readonly userId?: number | undefined;
  readonly organisationId?: number | undefined;
}

/** Whose record it is; of an organisation itself where there is no user. */
export interface RecordOwner {
  readonly organisationId: number;
  readonly userId: number | null;
}

/** Tells owners apart. */
export const ownerKey = ({ organisationId, userId }: RecordOwner): string =>
  userId === null ? `organisation ${organisationId}` : `user ${userId}`;

/** Tells references apart, without a look at the database. */
export const referenceKey = ({ username, userId, organisationId }: OwnerReference): string =>
  JSON.stringify([username?.toLowerCase(), userId, organisationId]);

/** Throws {@link ValidationFailed} for a row that names nobody, or more than one. */
export function assertOneOwner(reference: OwnerReference, names: readonly (keyof OwnerReference)[]): void {
  if (names.filter((name) => reference[name] !== undefined).length === 1) return;
  throw ValidationFailed.on(
    names[0] ?? 'username',
    fault('INVALID', `Exactly one of ${names.join(', ')} should be given.`),
  );
}

/** What to say of a row whose owner is not there. */
export const ownerMissing = ({ username, organisationId }: OwnerReference): Finding<never> => {
  if (organisationId !== undefined) return refused('organisationId', 'This organisation does not exist.');
  return refused(username === undefined ? 'userId' : 'username', 'This user does not exist.');
};

interface FoundUser {
  readonly id: number;
  readonly organisationId: number;
  readonly name: string;
}

const isGiven = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** The owners that rows name, in their order; undefined where there is none. */
export async function findOwners(
  manager: EntityManager,
  references: readonly OwnerReference[],
): Promise<(RecordOwner | undefined)[]> {
  const names = references.map(({ username }) => username?.toLowerCase()).filter(isGiven);
  const userIds = references.map(({ userId }) => userId).filter(isGiven);
  const users = await manager.query<FoundUser[]>(
    `SELECT id, organisation_id AS "organisationId", lower(username) AS name FROM users
     WHERE deleted_at IS NULL AND lower(username) = ANY ($1)
     UNION
     SELECT id, organisation_id, lower(username) FROM users WHERE deleted_at IS NULL AND id = ANY ($2)`,
    [names, userIds],
  );
  const organisations = await manager.query<{ id: number }[]>(
    'SELECT id FROM organisations WHERE deleted_at IS NULL AND id = ANY ($1)',
    [references.map(({ organisationId }) => organisationId).filter(isGiven)],
  );
  const byName = new Map(users.map((user) => [user.name, user]));
  const byId = new Map(users.map((user) => [user.id, user]));
  const organisationIds = new Set(organisations.map(({ id }) => id));
  return references.map(({ username, userId, organisationId }) => {
    if (organisationId !== undefined) {
      return organisationIds.has(organisationId) ? { organisationId, userId: null } : undefined;
    }
    const user = username === undefined ? byId.get(userId ?? 0) : byName.get(username.toLowerCase());
    return user && { organisationId: user.organisationId, userId: user.id };
  });
}

/**
 * Makes deletions of the owners wait until the running transaction has ended: a record that came in behind one would
 * never go. In the order of identifiers, so that two who lock owners do not block each other.
 */
export async function lockOwners(manager: EntityManager, owners: readonly RecordOwner[]): Promise<void> {
  const userIds = new Set(owners.map(({ userId }) => userId).filter((id) => id !== null));
  const ofOrganisations = owners.filter(({ userId }) => userId === null);
  const organisationIds = new Set(ofOrganisations.map(({ organisationId }) => organisationId));
  for (const [table, ids] of [
    ['organisations', organisationIds],
    ['users', userIds],
  ] as const) {
    if (ids.size === 0) continue;
    const locked = await manager.query<unknown[]>(
      `SELECT 1 FROM ${table} WHERE id = ANY ($1) AND deleted_at IS NULL ORDER BY id FOR SHARE`,
      [[...ids]],
    );
    if (locked.length < ids.size) {
      throw ValidationFailed.on('username', fault('DOES_NOT_EXIST', 'The owner was deleted at this moment.'));
    }
  }
}
