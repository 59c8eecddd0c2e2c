import { join } from 'node:path';
import { SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';
import { LONG_LIMITS } from '@app/platform/database/database-limits';
import { DatabasePool } from '@app/platform/database/database-pool';
import { SecretsKeyring } from '@app/security/secrets/encryption';

/**
 * Maximum values of a kind that {@link unreadableSecrets} reads, so that the start stays
 * fast. `cli verify` reads all.
 */
const MOST_READ = 100_000;

/**
 * Lists secrets that were stored under other keys, such as `2 TOTP secrets and 1 waiting
 * mail`; empty if there are none.
 */
async function unreadableSecrets(pool: DatabasePool, secretsKey: string): Promise<string> {
  const { ids } = SecretsKeyring.parse(secretsKey);
  // Loads every domain, as the service itself does next.
  const { ENCRYPTED_COLUMNS, encryptedValues } = await import('./encrypted-columns.js');
  const found: string[] = [];
  for (const kind of new Set(ENCRYPTED_COLUMNS.map((column) => column.kind))) {
    const columns = ENCRYPTED_COLUMNS.filter((column) => column.kind === kind);
    const [is] = (
      await pool.query<{ there: boolean }>(
        `SELECT to_regclass($1) IS NOT NULL AND to_regclass('migrations') IS NOT NULL AS there`,
        [columns[0]?.table],
      )
    ).rows;
    if (is?.there !== true) continue;
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM (SELECT encrypted FROM ${encryptedValues(columns)} stored LIMIT ${MOST_READ}) read
       WHERE split_part(encrypted, '.', 2) <> ALL ($1::text[])`,
      [ids],
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) found.push(`${count} ${kind}${count === 1 ? '' : 's'}`);
  }
  return new Intl.ListFormat('en-GB').format(found);
}

/**
 * Compares the keys with stored values. Throws a {@link SettingError} for values of other keys; with
 * `SECRETS_KEY_MISMATCH=allow` it only returns a warning.
 */
export async function checkStoredSecrets(
  databaseUrl: string,
  { secretsKey: given, dataDir, allowsKeyMismatch }: Settings,
  secretsKey: string,
): Promise<readonly string[]> {
  const unreadable = await unreadableSecretsIn(databaseUrl, secretsKey);
  if (unreadable === '') return [];
  const key =
    given === undefined ? `SECRETS_KEY is not set, and ${join(dataDir, 'secrets.key')}` : 'SECRETS_KEY';
  const fault = `${key} cannot open ${unreadable}: add the key that they were stored with, as in SECRETS_KEY=new,old`;
  if (allowsKeyMismatch) return [fault];
  throw new SettingError(`${fault}, or start anyway with SECRETS_KEY_MISMATCH=allow`);
}

async function unreadableSecretsIn(databaseUrl: string, secretsKey: string): Promise<string> {
  const pool = new DatabasePool({ connectionString: databaseUrl, limits: LONG_LIMITS });
  try {
    return await unreadableSecrets(pool, secretsKey);
  } finally {
    await pool.end();
  }
}
