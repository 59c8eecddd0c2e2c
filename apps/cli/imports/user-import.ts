import type { EntityManager } from 'typeorm';
import { addFirstContacts } from '@app/people/contacts/first-contact';
import { secretContext } from '@app/people/users/totp';
import { User } from '@app/people/users/user.entity';
import type { SecondFactor } from '@app/people/users/user.types';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { newIds } from './identifiers';
import { type Finding, type ImportKind, insertRows, reasonIn, storedRows } from './import-kind';
import { missingReferences } from './references';
import { type ImportedUser, readUserImportRow, USER_IMPORT_FIELDS } from './user-import-row';

const STORED = ['id', 'organisationId', 'username'] as const;

type StoredUser = Pick<User, (typeof STORED)[number]>;

/** User names are ASCII, so JavaScript and PostgreSQL lower-case them in the same way. */
const nameOf = ({ username }: { readonly username: string }): string => username.toLowerCase();

/**
 * Users of the previous panel. Users of an earlier run do not change.
 * @param withContacts whether users get their address as a contact, as at registration
 */
export function userImport(
  secretsKey: string,
  withContacts: boolean,
): ImportKind<ImportedUser, ImportedUser> {
  const keyring = SecretsKeyring.parse(secretsKey);
  return {
    table: 'users',
    fields: USER_IMPORT_FIELDS,
    read: readUserImportRow,
    uniqueIn: (user) => [
      ['username', nameOf(user)],
      ...(user.id === undefined ? [] : [['id', String(user.id)] as const]),
    ],
    idOf: ({ id }) => id,
    references: ({ organisationId }) => ({ organisationId }),
    find: findUsers,
    async insert(manager, users) {
      const ids = await insertUsers(manager, users, keyring);
      if (!withContacts) return;
      const addresses = users.map(({ username }, index) => ({ userId: ids[index] ?? 0, address: username }));
      await addFirstContacts(manager, addresses);
    },
  };
}

/** Looks up users by name. An existing one comes from an earlier run. */
async function findUsers(
  manager: EntityManager,
  users: readonly ImportedUser[],
): Promise<Finding<ImportedUser>[]> {
  const missing = await missingReferences(
    manager,
    users.map(({ organisationId }) => ({ organisationId })),
  );
  const storedByName = await usersByName(manager, users.map(nameOf));
  const takenIds = await usedIds(
    manager,
    users.map(({ id }) => id).filter((id) => id !== undefined),
  );
  return users.map((user, place) => {
    const { id, organisationId } = user;
    const stored = storedByName.get(nameOf(user));
    const isTaken = stored === undefined && id !== undefined && takenIds.has(id);
    const faults = {
      ...missing[place],
      ...(isTaken && { id: 'This id belongs to a user of another name.' }),
    };
    if (Object.keys(faults).length > 0) return { reason: reasonIn(faults) };
    if (stored === undefined) return { record: user };
    if (stored.organisationId !== organisationId) {
      const owner = `organisation ${stored.organisationId}`;
      return { reason: `username: This user name is already taken by a user of ${owner}.` };
    }
    if (id !== undefined && id !== stored.id) {
      return { reason: `id: The user of this name has the id ${stored.id}.` };
    }
    return { differences: [] };
  });
}

/**
 * Writes users and returns their identifiers. Sends no notifications, because an
 * import is no news for a user.
 */
async function insertUsers(
  manager: EntityManager,
  users: readonly ImportedUser[],
  keyring: SecretsKeyring,
): Promise<number[]> {
  const fresh = await newIds(manager, 'users', users.filter(({ id }) => id === undefined).length);
  const ids = users.map(({ id }) => id ?? (fresh.pop() as number));
  await insertRows(
    manager,
    User,
    users.map(({ totpSecret, roles, ...user }, position) => {
      const id = ids[position] as number;
      const secondFactor: SecondFactor = totpSecret === undefined ? 'disabled' : 'enabled';
      const encrypted = totpSecret === undefined ? null : keyring.encrypt(totpSecret, secretContext(id));
      return { ...user, id, roles: [...roles], secondFactor, totpSecret: encrypted };
    }),
  );
  return ids;
}

async function usersByName(
  manager: EntityManager,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredUser>> {
  const rows = await storedRows(
    manager,
    User,
    STORED,
    'fold_case(username) = ANY ($1) AND deleted_at IS NULL',
    [names],
  );
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Deleted users keep their ids. */
async function usedIds(manager: EntityManager, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<{ id: number }[]>(`SELECT id FROM users WHERE id = ANY ($1)`, [ids]);
  return new Set(rows.map(({ id }) => id));
}
