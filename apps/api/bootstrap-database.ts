import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { NAME_ACTOR, type Actor } from '@app/core/actor/actor-context';
import { REQUEST_LIMITS } from '@app/core/database/database-limits';
import { DatabasePool, type Pooler } from '@app/core/database/database-pool';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import { validatePassword, VARIANT_A_PASSWORD_RULES } from '@app/core/passwords/password-rules';
import { SettingError } from '@app/core/settings/setting-error';
import { isPlainEmailAddress } from '@app/core/text/email-address';
import { ensureOperatorOrganisation } from '@app/organisations/operator-organisation';
import { markForTestClock } from '@app/test-clock/test-clock.mark';

/** The first admin, as start-up tells about it. */
export interface FirstAdmin {
  readonly username: string;
  /** Only if it was made up just now: it is shown once and stored nowhere. */
  readonly madeUpPassword?: string;
}

interface Wanted {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly bcryptCost: number;
  /** Whether the database is to be one of tests. */
  readonly testClock: boolean;
}

const ACTOR: Actor = { credentialKind: 'start-up' };

const DEFAULT_USERNAME = 'admin@localhost.localdomain';

/**
 * Creates the operator organisation and its first admin on an empty database. On any other it changes nothing
 * and names the oldest enabled admin. Two processes that start at once do it once.
 */
export async function ensureFirstAdmin(
  databaseUrl: string,
  wanted: Wanted,
  pooler?: Pooler,
): Promise<FirstAdmin> {
  const pool = new DatabasePool({
    connectionString: databaseUrl,
    max: 1,
    limits: REQUEST_LIMITS,
    pooler,
    applicationName: 'account-api',
  });
  try {
    const client = await pool.connect();
    try {
      const known = await oldestAdmin(client);
      if (known !== undefined) return { username: known };
      return await createFirstAdmin(client, wanted);
    } finally {
      // Ended rather than kept: a transaction that failed half way is undone with it.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** The rules of Variant A, the stricter for user names; only where the settings are used. */
function refuseUnfit({ username, password }: Wanted): void {
  if (username !== undefined && !isPlainEmailAddress(username)) {
    throw new SettingError('ADMIN_USERNAME', `must be an e-mail address, but is ${JSON.stringify(username)}`);
  }
  const errors = password === undefined ? [] : validatePassword(password, VARIANT_A_PASSWORD_RULES);
  if (errors.length > 0)
    throw new SettingError(
      'ADMIN_PASSWORD',
      `can not be used: ${errors.map(({ message }) => message).join(' ')}`,
    );
}

async function oldestAdmin(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ username: string }>(
    `SELECT username FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']
     ORDER BY id LIMIT 1`,
  );
  return rows[0]?.username;
}

async function createFirstAdmin(client: PoolClient, wanted: Wanted): Promise<FirstAdmin> {
  refuseUnfit(wanted);
  const username = wanted.username ?? DEFAULT_USERNAME;
  // Follows the password rules of both variants.
  const madeUpPassword = wanted.password === undefined ? `A1-${randomBytes(9).toString('hex')}` : undefined;
  const hasher = new PasswordHasher(wanted.bcryptCost);
  const passwordHash = await hasher.hash(wanted.password ?? madeUpPassword ?? '');
  await hasher.close();
  await client.query('BEGIN');
  await client.query(NAME_ACTOR, [JSON.stringify(ACTOR)]);
  await client.query('LOCK TABLE organisations IN SHARE ROW EXCLUSIVE MODE');
  const known = await oldestAdmin(client);
  if (known !== undefined) {
    await client.query('ROLLBACK');
    return { username: known };
  }
  if (wanted.testClock) await markForTestClock(client);
  await ensureOperatorOrganisation(client);
  await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, language, roles, password_hash)
     VALUES (1, $1, 'First', 'Admin', 'en', ARRAY['ROLE_ADMIN'], $2)`,
    [username, passwordHash],
  );
  await client.query('COMMIT');
  // Of a table that it has never looked at PostgreSQL expects one row in 200 not to be deleted, and would plan searches
  // for next to none until the autovacuum has seen the first rows; a minute is long for whoever begins with an import.
  await client.query('ANALYZE organisations, users');
  return { username, ...(madeUpPassword !== undefined && { madeUpPassword }) };
}
