import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The version of a record, which its entity tag names (decisions.md 12.6). A trigger counts it, so that no statement can
 * forget it: neither a domain nor the build before this one nor a hand at psql. A constant default writes no row anew.
 *
 * Each table is locked by itself: a transaction with all of them would wait for requests that wait for it. What a
 * migration that was cut off has done already stays as it is.
 */
export class Versions1795750000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COUNT_VERSION);
    for (const [table, uncounted] of Object.entries(VERSIONED_TABLES)) {
      const audit = await auditTriggers(runner, table, (columns) => [
        ...new Set([...columns, ...versionsOf(table)]),
      ]);
      await runner.query(`
        ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS version integer NOT NULL DEFAULT 1;
        CREATE OR REPLACE TRIGGER version BEFORE UPDATE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION count_version(${quoted(uncounted)});
        ${table === 'organisations' ? BILLING_VERSION : ''}
        ${audit}
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(VERSIONED_TABLES)) {
      const versions = versionsOf(table);
      const audit = await auditTriggers(runner, table, (columns) =>
        columns.filter((column) => !versions.includes(column)),
      );
      await runner.query(`
        ${audit}
        DROP TRIGGER IF EXISTS version_of_billing ON ${table};
        DROP TRIGGER IF EXISTS version ON ${table};
        ${versions.map((column) => `ALTER TABLE ${table} DROP COLUMN IF EXISTS ${column};`).join('\n')}
      `);
    }
    await runner.query('DROP FUNCTION count_version; DROP FUNCTION count_billing_version');
  }
}

/** What billing alone sets. Organisations show some of it, as a part of another record. */
const OF_BILLING_ALONE = [
  'discount',
  'peppol_invoicing',
  'pre_payment_required',
  'is_soft',
  'before_first_order',
];

/** The record of billing. A request to the organisation sets the last four too, so that they count for both. */
const BILLING = [
  ...OF_BILLING_ALONE,
  'commission_factor',
  'document_interval',
  'invoice_day_min',
  'invoice_day_max',
];

/** Each with the columns that say nothing of the record itself: secrets, counts, the last use, what was told to whom. */
const VERSIONED_TABLES: Readonly<Record<string, readonly string[]>> = {
  organisations: ['billing_version', 'beneath_count', ...OF_BILLING_ALONE],
  users: ['password_hash', 'totp_secret', 'totp_last_step'],
  contacts: [],
  invitations: [],
  ssh_keys: [],
  teams: [],
  api_keys: ['last_used_at', 'told_days_left'],
  service_keys: ['last_used_at', 'told_days_left'],
  user_preferences: [],
};

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** The audit log tells the change itself, and leaves these out. */
const versionsOf = (table: string): readonly string[] =>
  table === 'organisations' ? ['version', 'billing_version'] : ['version'];

const BILLING_VERSION = `
  ALTER TABLE organisations ADD COLUMN IF NOT EXISTS billing_version integer NOT NULL DEFAULT 1;
  CREATE OR REPLACE TRIGGER version_of_billing BEFORE UPDATE ON organisations FOR EACH ROW
    WHEN ((${BILLING.map((column) => `OLD.${column}`).join(', ')})
      IS DISTINCT FROM (${BILLING.map((column) => `NEW.${column}`).join(', ')}))
    EXECUTE FUNCTION count_billing_version();
`;

const COUNT_VERSION = `
  CREATE OR REPLACE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    uncounted text[] := coalesce(TG_ARGV, '{}');
  BEGIN
    IF to_jsonb(NEW) - uncounted <> to_jsonb(OLD) - uncounted THEN NEW.version := OLD.version + 1; END IF;
    RETURN NEW;
  END $$;
  COMMENT ON FUNCTION count_version IS 'Arguments: columns whose changes do not count.';

  CREATE OR REPLACE FUNCTION count_billing_version() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.billing_version := OLD.billing_version + 1;
    RETURN NEW;
  END $$;
`;

/** The audit triggers of a table, which leave out other columns than now, whichever migration named them last. */
async function auditTriggers(
  runner: QueryRunner,
  table: string,
  change: (columns: readonly string[]) => readonly string[],
): Promise<string> {
  const triggers = (await runner.query(
    `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
     WHERE tgname IN ('audit', 'audit_inserts') AND tgrelid = $1::regclass`,
    [table],
  )) as { definition: string }[];
  return triggers
    .map(({ definition }) => {
      const [, head = '', given = ''] = /^CREATE( TRIGGER .*)\((.*)\)$/.exec(definition) ?? [];
      const columns = [...given.matchAll(/'(\w+)'/g)].map(([, column = '']) => column);
      return `CREATE OR REPLACE${head}(${quoted(change(columns))});`;
    })
    .join('\n');
}
