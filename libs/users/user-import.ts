import type { EntityManager } from 'typeorm';
import type { ImportedUser } from './user-import-row';

/** What became, or on a trial would become, of one user of a batch. */
export type UserImportVerdict =
  | { readonly kind: 'created'; /** Undefined on a trial. */ readonly userId: number | undefined }
  /** The organisation has a user of this name already: an earlier run took it over. */
  | { readonly kind: 'present' }
  | { readonly kind: 'refused'; readonly error: string };

export interface UserImportOptions {
  /** Id of the newest user before the import began: a name that a younger one has is no trace of an earlier run. */
  readonly newestUserBefore: number;
  /** Finds out, but writes nothing. */
  readonly isTrial: boolean;
}

const NO_SUCH_ORGANISATION = 'organisationId: This organisation does not exist.';
const TAKEN_BY_THIS_FILE =
  'username: This user name is already taken by a row above, or by a user who was created since the import began.';
const FREED_MEANWHILE = 'username: The user of this name was deleted at this moment. Import the row again.';

const INSERT = `
  INSERT INTO users (organisation_id, username, first_name, last_name, language, roles, enabled, password_hash,
    website_order_information)
  SELECT "organisationId", username, "firstName", "lastName", language, roles, enabled, "passwordHash",
    "websiteOrderInformation"
  FROM jsonb_to_recordset($1::jsonb) AS imported ("organisationId" integer, username text, "firstName" text,
    "lastName" text, language text, roles text[], enabled boolean, "passwordHash" text,
    "websiteOrderInformation" text)
  ON CONFLICT (lower(username)) WHERE deleted_at IS NULL DO NOTHING
  RETURNING id, lower(username) AS name`;

const TAKEN = `
  SELECT id, organisation_id AS "organisationId", lower(username) AS name
  FROM users WHERE lower(username) = ANY ($1) AND deleted_at IS NULL`;

interface Taken {
  readonly id: number;
  readonly organisationId: number;
  readonly name: string;
}

/** User names are ASCII: JavaScript lowers them as PostgreSQL does. */
const nameOf = ({ username }: ImportedUser): string => username.toLowerCase();

/**
 * Writes users in one statement and gives a verdict for each, in their order. Users that are there already stay as
 * they are. Nobody is notified: taking over is no news about a user.
 */
export async function importUsers(
  manager: EntityManager,
  users: readonly ImportedUser[],
  { newestUserBefore, isTrial }: UserImportOptions,
): Promise<UserImportVerdict[]> {
  const organisations = await liveOrganisations(manager, users);
  const firstOfName = new Map<string, ImportedUser>();
  for (const user of users) {
    if (organisations.has(user.organisationId) && !firstOfName.has(nameOf(user)))
      firstOfName.set(nameOf(user), user);
  }
  // Asked before: an INSERT that gives way takes an id from the sequence all the same.
  const takenByName = await takenNames(manager, [...firstOfName.keys()]);
  const free = [...firstOfName].flatMap(([name, user]) => (takenByName.has(name) ? [] : [user]));
  const created = isTrial ? new Map<string, number>() : await insert(manager, free);
  if (!isTrial && created.size < free.length) {
    const lost = free.map(nameOf).filter((name) => !created.has(name));
    for (const [name, row] of await takenNames(manager, lost)) takenByName.set(name, row);
  }
  return users.map((user): UserImportVerdict => {
    if (!organisations.has(user.organisationId)) return { kind: 'refused', error: NO_SUCH_ORGANISATION };
    if (firstOfName.get(nameOf(user)) !== user) return { kind: 'refused', error: TAKEN_BY_THIS_FILE };
    const userId = created.get(nameOf(user));
    const present = takenByName.get(nameOf(user));
    if (userId !== undefined || (isTrial && present === undefined)) return { kind: 'created', userId };
    if (present === undefined) return { kind: 'refused', error: FREED_MEANWHILE };
    if (present.id > newestUserBefore) return { kind: 'refused', error: TAKEN_BY_THIS_FILE };
    if (present.organisationId === user.organisationId) return { kind: 'present' };
    const owner = `organisation ${present.organisationId}`;
    return { kind: 'refused', error: `username: This user name is already taken by a user of ${owner}.` };
  });
}

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

async function takenNames(manager: EntityManager, names: readonly string[]): Promise<Map<string, Taken>> {
  const rows = await manager.query<Taken[]>(TAKEN, [names]);
  return new Map(rows.map((row) => [row.name, row]));
}

async function insert(manager: EntityManager, users: readonly ImportedUser[]): Promise<Map<string, number>> {
  const rows = await manager.query<{ id: number; name: string }[]>(INSERT, [JSON.stringify(users)]);
  return new Map(rows.map(({ id, name }) => [name, id]));
}
