import type { EntityManager } from 'typeorm';
import { differences } from '@app/core/imports/import-fields';
import { absent, present, refused, type Finding } from '@app/core/imports/import-kind';
import { insertRows } from '@app/core/imports/insert-rows';
import type { ImportedUser } from './user-import-row';
import { User, type SecondFactor } from './user.entity';

/** How TOTP secrets are kept: bound to the user, so that nobody's secret works for another. */
export interface SecretBox {
  seal(userId: number, secret: string): string;
  /** Undefined for what can not be read. */
  open(userId: number, sealed: string): string | undefined;
}

interface StoredUser extends Omit<ImportedUser, 'totpSecret' | 'id'> {
  readonly id: number;
  readonly name: string;
  readonly secondFactor: SecondFactor;
  readonly sealedSecret: string | null;
}

/** User names are ASCII: JavaScript lowers them as PostgreSQL does. */
const nameOf = ({ username }: ImportedUser): string => username.toLowerCase();

/** What no two rows of a file may share. */
export const uniqueInUsers = (user: ImportedUser): [string, string][] => [
  ['username', nameOf(user)],
  ...(user.id === undefined ? [] : [['id', String(user.id)] satisfies [string, string]]),
];

/** Looks users up by name; one that is there already is that of an earlier run. */
export async function findUsers(
  manager: EntityManager,
  users: readonly ImportedUser[],
  secrets: SecretBox,
): Promise<Finding<ImportedUser>[]> {
  const organisations = await liveOrganisations(manager, users);
  const storedByName = await usersByName(manager, users.map(nameOf));
  const takenIds = await usedIds(
    manager,
    users.map(({ id }) => id).filter((id) => id !== undefined),
  );
  return users.map((user) => {
    const { id, organisationId } = user;
    if (!organisations.has(organisationId))
      return refused('organisationId', 'This organisation does not exist.');
    const stored = storedByName.get(nameOf(user));
    if (stored === undefined) {
      return id !== undefined && takenIds.has(id)
        ? refused('id', 'This id belongs to a user of another name.')
        : absent(user);
    }
    if (stored.organisationId !== organisationId) {
      const owner = `organisation ${stored.organisationId}`;
      return refused('username', `This user name is already taken by a user of ${owner}.`);
    }
    if (id !== undefined && id !== stored.id) {
      return refused('id', `The user of this name has the id ${stored.id}.`);
    }
    return present(differencesOf(user, stored, secrets));
  });
}

/** Writes users with their identifiers, and gives those. Nobody is notified: taking over is no news about a user. */
export async function insertUsers(
  manager: EntityManager,
  users: readonly ImportedUser[],
  secrets: SecretBox,
): Promise<number[]> {
  const fresh = await newIds(manager, users.filter(({ id }) => id === undefined).length);
  const ids = users.map(({ id }) => id ?? (fresh.pop() as number));
  await insertRows(
    manager,
    User,
    users.map(({ totpSecret, roles, ...user }, position) => {
      const id = ids[position] as number;
      const secondFactor: SecondFactor = totpSecret === undefined ? 'disabled' : 'enabled';
      const sealed = totpSecret === undefined ? null : secrets.seal(id, totpSecret);
      return { ...user, id, roles: [...roles], secondFactor, totpSecret: sealed };
    }),
  );
  return ids;
}

/** In falling order. */
async function newIds(manager: EntityManager, count: number): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(
    `SELECT nextval(pg_get_serial_sequence('users', 'id')) AS id FROM generate_series(1, $1) ORDER BY id DESC`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** The names of the file's fields that the stored user has otherwise. */
function differencesOf(user: ImportedUser, stored: StoredUser, secrets: SecretBox): string[] {
  const { username, firstName, lastName, language, roles, enabled, websiteOrderInformation } = user;
  const hasFactor = stored.secondFactor === 'enabled' && stored.sealedSecret !== null;
  const secret = hasFactor ? secrets.open(stored.id, stored.sealedSecret ?? '') : undefined;
  const isSameFactor = hasFactor ? secret === user.totpSecret : user.totpSecret === undefined;
  return [
    ...differences({ username, firstName, lastName, roles, language, enabled }, stored),
    ...(websiteOrderInformation === stored.websiteOrderInformation ? [] : ['websiteOrderInfo']),
    ...(isRenewed(stored.passwordHash) || stored.passwordHash === user.passwordHash ? [] : ['passwordHash']),
    ...(isSameFactor ? [] : ['totpSecret']),
  ];
}

/** A hash in the service's own form: the first right login has replaced the one that was taken over. */
const isRenewed = (hash: string): boolean => hash.startsWith('$2b$');

async function liveOrganisations(
  manager: EntityManager,
  users: readonly ImportedUser[],
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(users.map(({ organisationId }) => organisationId))];
  const rows = await manager.query<{ id: number }[]>(
    'SELECT id FROM organisations WHERE id = ANY ($1) AND deleted_at IS NULL',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

async function usersByName(
  manager: EntityManager,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredUser>> {
  const rows = await manager.query<StoredUser[]>(
    `SELECT id, organisation_id AS "organisationId", lower(username) AS name, username, first_name AS "firstName",
       last_name AS "lastName", language, roles, enabled, password_hash AS "passwordHash",
       website_order_information AS "websiteOrderInformation", second_factor AS "secondFactor",
       totp_secret AS "sealedSecret"
     FROM users WHERE lower(username) = ANY ($1) AND deleted_at IS NULL`,
    [names],
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Deleted users keep theirs. */
async function usedIds(manager: EntityManager, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<{ id: number }[]>('SELECT id FROM users WHERE id = ANY ($1)', [ids]);
  return new Set(rows.map(({ id }) => id));
}
