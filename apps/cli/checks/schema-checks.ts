import type { EntityManager } from 'typeorm';
import type { DataCheck } from '@app/lifecycle/data-check';
import type { SecretsKeyring } from '@app/security/secrets/encryption';
import { CHANGED_COLLATIONS, SORT_ANEW, SORTED_OTHERWISE } from '@app/service/deployment/collation';
import { encryptedValues } from '@app/service/deployment/encrypted-columns';
import { FEW_IDS_LEFT, NEARLY_USED_UP, WIDEN_IDS } from '@app/service/deployment/used-ids';
import { TABLE_RULES } from '@app/service/extensions.module';

/** Checks for objects that a restored database may lack although it has all rows. */
const SCHEMA_CHECKS: readonly DataCheck[] = [
  {
    name: 'triggers',
    finds:
      'triggers that are switched off, as a restore with --disable-triggers leaves them when it is cut: ALTER TABLE … ENABLE TRIGGER',
    wrong: `SELECT c.relname || '.' || t.tgname AS example FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = 'public'::regnamespace AND t.tgenabled = 'D'`,
  },
  {
    name: 'indexes',
    finds: 'indexes that are not valid: REINDEX INDEX',
    wrong: `SELECT c.relname AS example FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace AND NOT i.indisvalid`,
  },
  {
    name: 'constraints',
    finds:
      'constraints that were never checked for the rows that are there: ALTER TABLE … VALIDATE CONSTRAINT',
    wrong: `SELECT conrelid::regclass || '.' || conname AS example FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND NOT convalidated`,
  },
  {
    name: 'collation',
    finds: `${SORTED_OTHERWISE}: ${SORT_ANEW}`,
    wrong: CHANGED_COLLATIONS,
  },
  {
    name: 'ids',
    finds: `${FEW_IDS_LEFT}: ${WIDEN_IDS}`,
    wrong: NEARLY_USED_UP,
  },
];

const NUMBERED_TABLES = `
  SELECT * FROM (
    SELECT c.oid::regclass::text AS table, pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'id'
  ) numbered WHERE sequence IS NOT NULL ORDER BY 1`;

/** Checks in every table with numbered rows that no row has the next number yet. */
async function sequenceCheck(manager: EntityManager): Promise<DataCheck> {
  const tables = await manager.query<Record<'table' | 'sequence', string>[]>(NUMBERED_TABLES);
  const behind = tables.map(
    ({ table, sequence }) => `
      SELECT '${table}' AS name, '${sequence}'::regclass AS sequence, top.id AS top
      FROM ${sequence} s, (SELECT max(id) AS id FROM ${table}) top
      WHERE top.id >= s.last_value + CASE WHEN s.is_called THEN 1 ELSE 0 END`,
  );
  const wrong = behind.join(' UNION ALL ');
  return {
    name: 'next ids',
    finds: 'tables whose next id is one that a row has already',
    wrong: `SELECT name AS example FROM (${wrong}) behind`,
    repair: [`SELECT setval(sequence, top) FROM (${wrong}) behind`],
  };
}

/** PostgreSQL stores the arguments of a trigger in one text, each followed by a null byte. */
const ARGUMENTS = `string_to_array(encode(t.tgargs, 'escape'), '\\000')`;

const AMOUNTS = `
  SELECT DISTINCT c.oid::regclass::text AS table,
    CASE p.proname WHEN 'limit_rows' THEN arguments[1] ELSE 'user_id' END AS owner, arguments[2] AS most,
    CASE p.proname WHEN 'limit_rows' THEN arguments[3] ELSE t.tgname END AS name,
    CASE p.proname WHEN 'limit_rows' THEN arguments[4] ELSE 'true' END AS counted
  FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
  CROSS JOIN LATERAL (SELECT ${ARGUMENTS} AS arguments) a
  WHERE p.proname IN ('limit_rows', 'make_room') ORDER BY name`;

/** Every limit that a trigger enforces, with the trigger's own arguments. */
async function amountChecks(manager: EntityManager): Promise<DataCheck[]> {
  type Amount = Record<'table' | 'owner' | 'most' | 'name' | 'counted', string>;
  const amounts = await manager.query<Amount[]>(AMOUNTS);
  return amounts.map(({ table, owner, most, name, counted }) => ({
    name: `amount: ${name}`,
    finds: `owners of more than ${most} rows of ${table}: they stay, and nothing comes to them`,
    mayStay: true,
    wrong: `SELECT '${owner} ' || ${owner} || ': ' || count(*) AS example FROM ${table}
      WHERE ${owner} IS NOT NULL AND ${counted} GROUP BY ${owner} HAVING count(*) > ${most}`,
  }));
}

/** Every encrypted value contains the id of its key, in hex digits. */
const secretCheck = (keyring: SecretsKeyring): DataCheck => ({
  name: 'secrets',
  finds: 'secrets under a key that SECRETS_KEY does not hold: add the key of the time of the backup',
  wrong: `SELECT example FROM ${encryptedValues()} stored
    WHERE split_part(encrypted, '.', 2) NOT IN (${keyring.ids.map((id) => `'${id}'`).join(', ')})`,
});

/** All checks of a database. Some are made from its schema. */
export const dataChecks = async (manager: EntityManager, keyring: SecretsKeyring): Promise<DataCheck[]> => [
  ...TABLE_RULES.flatMap(({ checks = [] }) => checks),
  secretCheck(keyring),
  ...SCHEMA_CHECKS,
  await sequenceCheck(manager),
  ...(await amountChecks(manager)),
];
