import { join } from 'node:path';
import { LONG_LIMITS } from '@app/platform/database/database-limits';
import { DatabasePool, type Pooler } from '@app/platform/database/database-pool';
import { JOB_TABLE, JOBS } from '@app/platform/jobs/job-tables';
import { SettingError, type Settings } from '@app/platform/process/settings';
import { SecretsKeyring } from './encryption';

/** A kind of values that are encrypted with `SECRETS_KEY`. */
interface SealedKind {
  readonly name: string;
  /** The table may be absent before the migrations. */
  readonly table: string;
  /** Selects each value as `sealed` with the name of its row as `example`. */
  readonly values: string;
}

/** All kinds. A new caller of `SecretsKeyring.encrypt` adds its column here and in `cli rotate-secrets`. */
const SEALED_KINDS: readonly SealedKind[] = [
  {
    name: 'TOTP secret',
    table: 'users',
    values: `SELECT 'TOTP secret of user ' || id AS example, totp_secret AS sealed FROM users
      WHERE totp_secret IS NOT NULL`,
  },
  {
    name: 'recovery code',
    table: 'recovery_codes',
    values: `SELECT 'recovery code ' || id AS example, sealed_digest AS sealed FROM recovery_codes`,
  },
  {
    name: 'erasure remainder',
    table: 'erasure_remains',
    values: `SELECT 'remains of erased user ' || user_id AS example, sealed FROM erasure_remains`,
  },
  {
    name: 'webhook secret',
    table: 'webhooks',
    values: `SELECT 'secret of webhook ' || w.id AS example, secret.sealed FROM webhooks w
      CROSS JOIN LATERAL unnest(ARRAY[w.sealed_secret, w.former_sealed_secret]) AS secret (sealed)
      WHERE secret.sealed IS NOT NULL`,
  },
  {
    name: 'kept response',
    table: 'kept_responses',
    values: `SELECT 'kept response ' || id AS example, sealed FROM kept_responses`,
  },
  {
    name: 'waiting mail',
    table: JOB_TABLE,
    values: `SELECT 'mail job ' || id AS example, payload ->> 'sealed' AS sealed FROM ${JOBS} job
      WHERE payload ->> 'sealed' IS NOT NULL`,
  },
];

/** For FROM: every value with its `example`. */
export const SEALED = `(${SEALED_KINDS.map(({ values }) => values).join(' UNION ALL ')})`;

/** Values of a kind that {@link unreadableSecrets} looks at, so that a start stays quick; `cli verify` looks at all. */
const MOST_READ = 100_000;

/** What is stored under other keys, such as `2 TOTP secrets and 1 waiting mail`; empty if nothing is. */
async function unreadableSecrets(pool: DatabasePool, secretsKey: string): Promise<string> {
  const { ids } = SecretsKeyring.parse(secretsKey);
  const found: string[] = [];
  for (const { name, table, values } of SEALED_KINDS) {
    const [is] = (
      await pool.query<{ there: boolean }>(
        `SELECT to_regclass($1) IS NOT NULL AND to_regclass('migrations') IS NOT NULL AS there`,
        [table],
      )
    ).rows;
    if (is?.there !== true) continue;
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM (SELECT sealed FROM (${values}) stored LIMIT ${MOST_READ}) read
       WHERE split_part(sealed, '.', 2) <> ALL ($1::text[])`,
      [ids],
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) found.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return new Intl.ListFormat('en-GB').format(found);
}

/**
 * Compares the keys with what is stored. A difference throws a {@link SettingError}, or is the only warning with
 * `SECRETS_KEY_MISMATCH=allow`.
 */
export async function checkStoredSecrets(
  { url, pooler }: { readonly url: string; readonly pooler: Pooler | undefined },
  { secretsKey: given, dataDir, allowsKeyMismatch }: Settings,
  secretsKey: string,
): Promise<readonly string[]> {
  const pool = new DatabasePool({
    connectionString: url,
    max: 1,
    limits: LONG_LIMITS,
    pooler,
    applicationName: 'account-api',
  });
  const unreadable = await unreadableSecrets(pool, secretsKey).finally(() => pool.end());
  if (unreadable === '') return [];
  const key =
    given === undefined ? `SECRETS_KEY is not set, and ${join(dataDir, 'secrets.key')}` : 'SECRETS_KEY';
  const fault = `${key} can not open ${unreadable}: add the key that they were stored with, as in SECRETS_KEY=new,old`;
  if (allowsKeyMismatch) return [fault];
  throw new SettingError(`${fault}, or start all the same with SECRETS_KEY_MISMATCH=allow`);
}
