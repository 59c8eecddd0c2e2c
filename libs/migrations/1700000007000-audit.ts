import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who changed what: a row for every change of credentials, rights, users, organisations and grants, written by
 * triggers in the transaction of the change, so that neither a domain nor an import nor a hand at psql can forget it.
 */
export class Audit1700000007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query(`SELECT quote_ident(current_schema()) AS schema`)) as [
      { schema: string },
    ];
    await runner.query(AUDIT_LOG);
    await runner.query(auditChange(schema));
    for (const [table, ignored] of Object.entries(AUDITED_TABLES)) {
      const columns = ignored.map((column) => `'${column}'`).join(', ');
      await runner.query(`CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION audit_change(${columns})`);
    }
    await runner.query(APPEND_ONLY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION audit_change CASCADE;
      DROP TABLE audit_log;
      DROP FUNCTION refuse_audit_change;
    `);
  }
}

/** Each with the columns whose changes are bookkeeping or say nothing that another column does not. */
const AUDITED_TABLES: Readonly<Record<string, readonly string[]>> = {
  organisations: ['beneath_count'],
  users: ['totp_last_step'],
  logins: ['last_used_at'],
  api_keys: ['last_used_at'],
  trusted_devices: [],
  recovery_requests: [],
  ssh_keys: ['blob'],
  invitations: [],
  acls: [],
  teams: [],
  team_members: [],
  team_entities: [],
};

const AUDIT_LOG = `
  -- No foreign keys: history outlives what it tells of.
  CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    actor_user_id integer,
    actor_credential_kind varchar(32),
    actor_credential_id integer,
    actor_name varchar(255),
    address varchar(45),
    request_id varchar(64),
    action varchar(6) NOT NULL,
    table_name varchar(63) NOT NULL,
    record_id integer NOT NULL,
    organisation_id integer,
    before jsonb,
    after jsonb
  );
  COMMENT ON TABLE audit_log IS 'Every change of credentials, rights, users, organisations and grants; append-only.';
  CREATE INDEX audit_log_of_organisation ON audit_log (organisation_id, id);
  CREATE INDEX audit_log_of_record ON audit_log (table_name, record_id, id);
  CREATE INDEX audit_log_by_actor ON audit_log (actor_user_id, id) WHERE actor_user_id IS NOT NULL;
  CREATE INDEX audit_log_by_time ON audit_log (at);
`;

/**
 * Runs with the rights of its owner, so that a role that only serves requests needs none on audit_log but SELECT;
 * therefore its search path is fixed, with pg_temp last, where a table of the same name could take rows away.
 * A column is known to hold a secret by its name, so that one that is added later is concealed without a thought.
 */
const auditChange = (schema: string): string => `
  CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = ${schema}, pg_temp AS $$
  DECLARE
    actor jsonb;
    ignored text[] := coalesce(TG_ARGV, '{}');
    old_row jsonb := '{}';
    new_row jsonb := '{}';
    known jsonb;
    organisation integer;
    columns_before jsonb;
    columns_after jsonb;
  BEGIN
    IF TG_OP <> 'INSERT' THEN old_row := to_jsonb(OLD) - ignored; END IF;
    IF TG_OP <> 'DELETE' THEN new_row := to_jsonb(NEW) - ignored; END IF;
    IF old_row = new_row THEN RETURN NULL; END IF;

    SELECT jsonb_object_agg(key, old_value) FILTER (WHERE TG_OP <> 'INSERT'),
      jsonb_object_agg(key, new_value) FILTER (WHERE TG_OP <> 'DELETE')
    INTO columns_before, columns_after
    FROM (
      SELECT key,
        CASE WHEN key ~ 'hash|digest|secret|token|password' AND o.value <> 'null' THEN '"(changed)"' ELSE o.value
          END AS old_value,
        CASE WHEN key ~ 'hash|digest|secret|token|password' AND n.value <> 'null' THEN '"(changed)"' ELSE n.value
          END AS new_value
      FROM jsonb_each(old_row) o FULL JOIN jsonb_each(new_row) n USING (key)
      WHERE CASE TG_OP WHEN 'UPDATE' THEN o.value <> n.value ELSE coalesce(o.value, n.value) <> 'null' END
    ) changed;

    known := old_row || new_row;
    organisation := CASE TG_TABLE_NAME WHEN 'organisations' THEN known ->> 'id' ELSE known ->> 'organisation_id' END;
    IF organisation IS NULL AND known ? 'user_id' THEN
      SELECT u.organisation_id INTO organisation FROM users u WHERE u.id = (known ->> 'user_id')::integer;
    ELSIF organisation IS NULL AND known ? 'team_id' THEN
      SELECT t.organisation_id INTO organisation FROM teams t WHERE t.id = (known ->> 'team_id')::integer;
    END IF;

    -- Set for the transaction only; after one that set it, the session shows an empty text.
    actor := nullif(current_setting('audit.actor', true), '')::jsonb;
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      action, table_name, record_id, organisation_id, before, after)
    VALUES ((actor ->> 'userId')::integer, left(actor ->> 'credentialKind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      lower(TG_OP), TG_TABLE_NAME, (known ->> 'id')::integer, organisation, columns_before, columns_after);
    RETURN NULL;
  END $$;
`;

const APPEND_ONLY = `
  CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE insufficient_privilege USING MESSAGE = format('audit_log is append-only: %s is refused', TG_OP),
      HINT = 'docs/audit.md says how its owner ends the retention of old rows.';
  END $$;
  CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
  ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_is_append_only;

  -- Roles that default privileges let in, such as one that only serves requests, may read and nothing else.
  DO $$
  DECLARE
    other text;
  BEGIN
    FOR other IN
      SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
      FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = 'audit_log'::regclass AND grantee <> relowner
    LOOP
      EXECUTE format('REVOKE ALL ON audit_log FROM %s; GRANT SELECT ON audit_log TO %s', other, other);
    END LOOP;
  END $$;
`;
