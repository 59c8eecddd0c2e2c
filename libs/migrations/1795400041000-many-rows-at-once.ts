import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What many rows of one statement have in common is done once for all of them: their rows in the audit log, and the
 * count of what their owners have. An import spent most of its time on doing it row by row.
 */
export class ManyRowsAtOnce1795400041000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query(`SELECT quote_ident(current_schema()) AS schema`)) as [
      { schema: string },
    ];
    await runner.query(auditInserts(schema));
    for (const table of AUDITED_TABLES) {
      const columns = await argumentsOf(runner, table, 'audit');
      // Replaced and not dropped: that lets readers of the table go on.
      await runner.query(`
        CREATE OR REPLACE TRIGGER audit AFTER UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION audit_change(${columns});
        CREATE TRIGGER audit_inserts AFTER INSERT ON ${table} REFERENCING NEW TABLE AS inserted
          FOR EACH STATEMENT EXECUTE FUNCTION audit_inserts(${columns});
      `);
    }
    await runner.query(LIMIT_ROWS);
    for (const { of: table, trigger } of LIMITS) {
      const given = await argumentsOf(runner, table, trigger);
      await runner.query(`CREATE OR REPLACE TRIGGER ${trigger} AFTER INSERT ON ${table}
        REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION limit_rows(${given})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { of: table, trigger, counted } of LIMITS) {
      const given = await argumentsOf(runner, table, trigger);
      await runner.query(`CREATE OR REPLACE TRIGGER ${trigger} BEFORE INSERT ON ${table}
        FOR EACH ROW WHEN (${counted}) EXECUTE FUNCTION limit_rows(${given})`);
    }
    await runner.query(LIMIT_EACH_ROW);
    for (const table of AUDITED_TABLES) {
      const columns = await argumentsOf(runner, table, 'audit');
      await runner.query(`
        DROP TRIGGER audit_inserts ON ${table};
        CREATE OR REPLACE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION audit_change(${columns});
      `);
    }
    await runner.query('DROP FUNCTION audit_inserts');
  }
}

/** Tables that come in by the hundred thousand. */
const AUDITED_TABLES = ['organisations', 'users', 'contacts', 'ssh_keys', 'api_keys'];

/** What a trigger is given, whichever migration said so last: columns to leave out, or an amount. */
async function argumentsOf(runner: QueryRunner, table: string, trigger: string): Promise<string> {
  const [{ given }] = (await runner.query(
    `SELECT coalesce(string_agg(quote_literal(argument), ', ' ORDER BY place), '') AS given
     FROM pg_trigger, regexp_split_to_table(encode(tgargs, 'escape'), '\\\\000') WITH ORDINALITY listed (argument, place)
     WHERE tgrelid = $1::regclass AND tgname = $2 AND argument <> ''`,
    [table, trigger],
  )) as [{ given: string }];
  return given;
}

/** As audit_change does it for one row; see there for the rights that it runs with. */
const auditInserts = (schema: string): string => `
  CREATE FUNCTION audit_inserts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = ${schema}, pg_temp AS $$
  DECLARE
    actor jsonb := nullif(current_setting('audit.actor', true), '')::jsonb;
    ignored text[] := coalesce(TG_ARGV, '{}');
  BEGIN
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      action, table_name, record_id, organisation_id, before, after)
    SELECT (actor ->> 'userId')::integer, left(actor ->> 'credentialKind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      'insert', TG_TABLE_NAME, (known ->> 'id')::integer,
      CASE TG_TABLE_NAME WHEN 'organisations' THEN (known ->> 'id')::integer ELSE coalesce(
        (known ->> 'organisation_id')::integer,
        (SELECT u.organisation_id FROM users u WHERE u.id = (known ->> 'user_id')::integer)) END,
      NULL,
      (SELECT jsonb_object_agg(key,
         CASE WHEN key ~ 'hash|digest|secret|token|password' THEN '"(changed)"' ELSE value END)
       FROM jsonb_each(known) WHERE value <> 'null')
    FROM (SELECT to_jsonb(i) - ignored AS known FROM inserted i OFFSET 0) new_rows;
    RETURN NULL;
  END $$;
`;

/** Triggers that hold an amount, with the rows that each was called for one by one. */
const LIMITS = [
  { of: 'contacts', trigger: 'contacts_limit_of_user', counted: 'NEW.user_id IS NOT NULL' },
  { of: 'contacts', trigger: 'contacts_limit_of_organisation', counted: 'NEW.user_id IS NULL' },
  { of: 'ssh_keys', trigger: 'ssh_keys_limit_of_user', counted: 'NEW.user_id IS NOT NULL' },
  { of: 'ssh_keys', trigger: 'ssh_keys_limit_of_organisation', counted: 'NEW.user_id IS NULL' },
  { of: 'api_keys', trigger: 'api_keys_limit_of_user', counted: 'NEW.user_id IS NOT NULL' },
];

const EACH_ROW = `
    EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) USING NEW INTO owner;
    PERFORM pg_advisory_xact_lock(hashtext(TG_ARGV[2]), owner);
    EXECUTE format('SELECT count(*) FROM %I WHERE %I = $1 AND %s', TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[3])
      USING owner INTO present;
    IF present >= TG_ARGV[1]::integer THEN
      RAISE check_violation USING CONSTRAINT = TG_ARGV[2], MESSAGE = format('%s of %s %s', present, TG_ARGV[0], owner);
    END IF;
    RETURN NEW;`;

/** For the rows of a statement the owners are locked first, each in its turn; then all rows count, theirs among them. */
const LIMIT_ROWS = `
  CREATE OR REPLACE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owners integer[];
    owner integer;
    present integer;
  BEGIN
    IF TG_LEVEL = 'STATEMENT' THEN
      EXECUTE format('SELECT array_agg(DISTINCT %1$I ORDER BY %1$I) FROM inserted WHERE %1$I IS NOT NULL AND %2$s',
        TG_ARGV[0], TG_ARGV[3]) INTO owners;
      IF owners IS NULL THEN RETURN NULL; END IF;
      PERFORM pg_advisory_xact_lock(hashtext(TG_ARGV[2]), listed.id) FROM unnest(owners) AS listed (id);
      EXECUTE format('SELECT %1$I, count(*) FROM %2$I WHERE %1$I = ANY ($1) AND %3$s
        GROUP BY 1 HAVING count(*) > $2 LIMIT 1', TG_ARGV[0], TG_TABLE_NAME, TG_ARGV[3])
        USING owners, TG_ARGV[1]::integer INTO owner, present;
      IF owner IS NOT NULL THEN
        RAISE check_violation USING CONSTRAINT = TG_ARGV[2], MESSAGE = format('%s of %s %s', present, TG_ARGV[0], owner);
      END IF;
      RETURN NULL;
    END IF;
    ${EACH_ROW}
  END $$;
  COMMENT ON FUNCTION limit_rows IS
    'Arguments: column of the owner, most rows, name of the constraint, which rows count. For a row before, or for a statement after it.';
`;

/** As it was before. */
const LIMIT_EACH_ROW = `
  CREATE OR REPLACE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owner integer;
    present integer;
  BEGIN
    ${EACH_ROW}
  END $$;
  COMMENT ON FUNCTION limit_rows IS 'Arguments: column of the owner, most rows, name of the constraint, which rows count.';
`;
