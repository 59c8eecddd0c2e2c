import { randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';
import { assertTestClockFits, markForTestClock } from '@app/edge/test-clock/test-clock.mark';
import { assertEmbeddedPostgres } from '@app/embedded-postgres/binaries';
import {
  type EmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@app/embedded-postgres/embedded-postgres';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { migrate } from '@app/migrations/migrate';
import { assertKnownHistory } from '@app/migrations/recorded-migrations';
import { ensureOperatorOrganisation } from '@app/people/organisations/organisation.types';
import { NAME_ACTOR } from '@app/platform/context/work-context';
import { keepsSessions } from '@app/platform/database/data-source-options';
import { DatabasePool } from '@app/platform/database/database-pool';
import { RequestContext } from '@app/security/context/request-context';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import {
  isUserName,
  USERNAME_AS_PASSWORD,
  validatePassword,
  VARIANT_A_PASSWORD_RULES,
} from '@app/security/passwords/password-rules';
import { secretsKeyOf, SecretsKeyring } from '@app/security/secrets/encryption';
import { assertSameAnswers } from '@app/service/deployment/database-settings';
import { assertKeepsSessions } from '@app/service/deployment/pooler-mode';
import { checkStoredSecrets } from '@app/service/deployment/stored-secrets';
import { assertOwnPasskeys, type DomainOfPasskeys } from '@app/sign-in/passkeys/passkey-domains';

/** A migrated database. */
export interface PreparedDatabase {
  readonly url: string;
  /** The server that this start runs. The caller stops it. Undefined with `DATABASE_URL`. */
  readonly embedded: EmbeddedPostgres | undefined;
  /** User name of the oldest enabled admin. Undefined in a new database. */
  readonly admin: string | undefined;
  /** For the log. */
  readonly warnings: readonly string[];
}

/** Callbacks that follow a start, and a signal that ends it. */
export interface StartWatch {
  /** Receives a line about each slow step. */
  readonly say: (line: string) => void;
  readonly stopWanted: AbortSignal;
  /** Begins other work while the embedded database starts. */
  readonly whileStarting: () => void;
}

/**
 * Prepares the database, after every check of settings that needs it. Several server
 * processes share one call.
 */
export async function prepareDatabase(
  settings: Settings,
  { say, stopWanted, whileStarting }: StartWatch,
): Promise<PreparedDatabase> {
  if (settings.databaseUrl === undefined && !hasEmbeddedPostgres(settings.dataDir)) refuseUnfit(settings);
  if (settings.databaseUrl === undefined) assertEmbeddedPostgres();
  const secretsKey = secretsKeyOf(settings);
  SecretsKeyring.parse(secretsKey);
  await assertKeepsSessions(settings);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: say, whileStarting })
      : undefined;
  try {
    const url = settings.databaseUrl ?? embedded?.url ?? '';
    const direct = settings.databaseDirectUrl ?? url;
    const ofHistory = await assertKnownHistory(direct);
    await assertSameAnswers(url, keepsSessions(settings));
    await assertTestClockFits(direct, settings.testClock);
    const warnings = [...ofHistory, ...(await checkStoredSecrets(direct, settings, secretsKey))];
    const admin = await withConnection(direct, async (client) =>
      (await hasSchema(client)) ? oldestAdmin(client) : undefined,
    );
    if (admin === undefined) refuseUnfit(settings);
    const migrations = await migrate(direct, { say, stopWanted });
    if (migrations.length > 0) say(`Migrations that ran: ${migrations.join(', ')}`);
    await withConnection(direct, (client) =>
      assertOwnPasskeys(
        async (text, values) => (await client.query<DomainOfPasskeys>(text, [...values])).rows,
        settings,
      ),
    );
    return { url, embedded, warnings, admin };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/**
 * Creates the first admin, if none was found. Call it when the service listens, so that a failed start
 * never stores a new password.
 */
export async function makeFirstAdmin(
  settings: Settings,
  { url, admin: known }: PreparedDatabase,
): Promise<FirstAdmin> {
  if (known !== undefined) return { username: known };
  const direct = settings.databaseDirectUrl ?? url;
  const admin = await ensureFirstAdmin(direct, settings);
  // Checks again, because another process may have created the database meanwhile.
  await assertTestClockFits(direct, settings.testClock);
  return admin;
}

async function hasSchema(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('users') IS NOT NULL AND to_regclass('migrations') IS NOT NULL AS found`,
  );
  return rows[0]?.found === true;
}

/** The first admin, for the start-up message. */
export interface FirstAdmin {
  readonly username: string;
  /** Set if this start generated it. It is shown once and never stored. */
  readonly madeUpPassword?: string;
}

type AdminSettings = Pick<Settings, 'adminUsername' | 'adminPassword' | 'bcryptCost' | 'testClock'>;

const DEFAULT_USERNAME = 'admin@localhost.localdomain';

/**
 * Creates the operator organisation and its first admin in an empty database. Otherwise it changes nothing
 * and returns the oldest enabled admin. If two processes start at once, one of them creates both.
 */
export async function ensureFirstAdmin(databaseUrl: string, wanted: AdminSettings): Promise<FirstAdmin> {
  return withConnection(databaseUrl, async (client) => {
    const known = await oldestAdmin(client);
    return known === undefined ? createFirstAdmin(client, wanted) : { username: known };
  });
}

async function withConnection<Result>(
  databaseUrl: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const pool = new DatabasePool({ connectionString: databaseUrl });
  try {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      // Closing the connection rolls back a failed transaction.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** Applies the rules of Variant A, which are stricter for user names. */
function refuseUnfit({ adminUsername: username, adminPassword: password }: AdminSettings): void {
  const faults: string[] = [];
  if (username !== undefined && !isPlainEmailAddress(username))
    faults.push(`ADMIN_USERNAME must be an e-mail address, but is ${JSON.stringify(username)}`);
  const errors = password === undefined ? [] : validatePassword(password, VARIANT_A_PASSWORD_RULES);
  if (password !== undefined && isUserName(password, username ?? DEFAULT_USERNAME))
    errors.push(USERNAME_AS_PASSWORD);
  if (errors.length > 0)
    faults.push(`ADMIN_PASSWORD cannot be used: ${errors.map(({ message }) => message).join(' ')}`);
  if (faults.length > 0) throw new SettingError(...faults);
}

async function oldestAdmin(client: PoolClient): Promise<string | undefined> {
  const { rows } = await client.query<{ username: string }>(
    `SELECT username FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']
     ORDER BY id LIMIT 1`,
  );
  return rows[0]?.username;
}

async function createFirstAdmin(client: PoolClient, wanted: AdminSettings): Promise<FirstAdmin> {
  refuseUnfit(wanted);
  const { adminUsername: username = DEFAULT_USERNAME, adminPassword: password } = wanted;
  // Valid in both variants.
  const madeUpPassword = password === undefined ? `A1-${randomBytes(9).toString('hex')}` : undefined;
  const hasher = new PasswordHasher(wanted.bcryptCost);
  const passwordHash = await hasher.hash(password ?? madeUpPassword ?? '');
  await hasher.close();
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
  await client.query(NAME_ACTOR, [JSON.stringify(RequestContext.forStart().actor)]);
  await client.query('LOCK TABLE organisations IN SHARE ROW EXCLUSIVE MODE');
  const known = await oldestAdmin(client);
  if (known !== undefined) {
    await client.query('ROLLBACK');
    return { username: known };
  }
  // A new database then belongs to tests.
  if (wanted.testClock) await markForTestClock(client);
  await ensureOperatorOrganisation(client);
  await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, language, roles, password_hash)
     VALUES (1, $1, 'First', 'Admin', 'en', ARRAY['ROLE_ADMIN'], $2)`,
    [username, passwordHash],
  );
  await client.query('COMMIT');
  // Without statistics PostgreSQL expects that one row in 200 is not deleted, and plans searches for few
  // rows. Autovacuum runs only after a minute, too late for an import right after the first start.
  await client.query('ANALYZE organisations, users');
  return { username, ...(madeUpPassword !== undefined && { madeUpPassword }) };
}
