-- The audit log: triggers write a row for every change in its transaction, so that no domain, import or psql session can forget
-- it.

-- No foreign keys: the log outlives the records.
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
  after jsonb,
  acting_organisation_id integer,
  on_behalf_of integer,
  grant_id integer
);
COMMENT ON TABLE audit_log IS 'Every change of credentials, rights, users, organisations and grants; append-only.';
COMMENT ON COLUMN audit_log.acting_organisation_id IS
  'Organisation of the acting user, where it is another than that of the record.';
COMMENT ON COLUMN audit_log.on_behalf_of IS 'The user in whose name the actor acted, with a support login.';
COMMENT ON COLUMN audit_log.grant_id IS 'The grant by which the actor acted.';
CREATE INDEX audit_log_of_record ON audit_log (table_name, record_id, id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_user_id, id) WHERE actor_user_id IS NOT NULL;
CREATE INDEX audit_log_by_time ON audit_log (at);
-- The cost of a page of a customer's log does not depend on the length of the log: for changes of the organisation and acts of
-- its users elsewhere, with and without a kind of record.
CREATE INDEX audit_log_of_organisation ON audit_log (organisation_id, id);
CREATE INDEX audit_log_of_organisation_and_kind ON audit_log (organisation_id, table_name, id);
CREATE INDEX audit_log_of_organisation_by_others ON audit_log (organisation_id, actor_user_id, id)
  WHERE acting_organisation_id IS NOT NULL;
CREATE INDEX audit_log_by_acting_organisation ON audit_log (acting_organisation_id, id)
  WHERE acting_organisation_id IS NOT NULL;
CREATE INDEX audit_log_by_acting_organisation_and_kind ON audit_log (acting_organisation_id, table_name, id)
  WHERE acting_organisation_id IS NOT NULL;

-- Runs with the rights of its owner, so that a role that only serves requests needs no right on audit_log except SELECT.
-- Therefore its search path is fixed, with pg_temp last, where a table of the same name could divert rows. The name of a column
-- shows whether it holds a secret, so that a new secret is concealed by default. Arguments: columns that are bookkeeping or
-- repeat another column.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = @schema@, pg_temp AS $$
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
      grant_id, action, table_name, record_id, organisation_id, before, after)
    VALUES ((actor ->> 'userId')::integer, left(actor ->> 'kind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      (actor ->> 'grantId')::integer,
      lower(TG_OP), TG_TABLE_NAME, (known ->> 'id')::integer, organisation, columns_before, columns_after);
    RETURN NULL;
  END $$;

-- Does the same for all rows that a statement inserts: for tables that receive rows by the hundred thousand.
CREATE FUNCTION audit_inserts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = @schema@, pg_temp AS $$
  DECLARE
    actor jsonb := nullif(current_setting('audit.actor', true), '')::jsonb;
    ignored text[] := coalesce(TG_ARGV, '{}');
  BEGIN
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      grant_id, action, table_name, record_id, organisation_id, before, after)
    SELECT (actor ->> 'userId')::integer, left(actor ->> 'kind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      (actor ->> 'grantId')::integer, 'insert', TG_TABLE_NAME, (known ->> 'id')::integer,
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

-- Does the same for all rows that a statement deletes: a team of 10,000 members ends in one statement, and each insertion into the
-- log looks for its audience.
CREATE FUNCTION audit_deletes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = @schema@, pg_temp AS $$
  DECLARE
    actor jsonb := nullif(current_setting('audit.actor', true), '')::jsonb;
    ignored text[] := coalesce(TG_ARGV, '{}');
  BEGIN
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      grant_id, action, table_name, record_id, organisation_id, before, after)
    SELECT (actor ->> 'userId')::integer, left(actor ->> 'kind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      (actor ->> 'grantId')::integer, 'delete', TG_TABLE_NAME, (known ->> 'id')::integer,
      coalesce(
        (known ->> 'organisation_id')::integer,
        CASE WHEN known ? 'user_id'
          THEN (SELECT u.organisation_id FROM users u WHERE u.id = (known ->> 'user_id')::integer)
          ELSE (SELECT t.organisation_id FROM teams t WHERE t.id = (known ->> 'team_id')::integer) END),
      (SELECT jsonb_object_agg(key,
         CASE WHEN key ~ 'hash|digest|secret|token|password' THEN '"(changed)"' ELSE value END)
       FROM jsonb_each(known) WHERE value <> 'null'),
      NULL
    FROM (SELECT to_jsonb(d) - ignored AS known FROM deleted d OFFSET 0) old_rows;
    RETURN NULL;
  END $$;

-- Customers read their part of the log. An index on the acting organisation finds what users did elsewhere: few rows have an
-- actor of another organisation than the record. Rows of imports have no actor and cost no look-up. A service key may end in the
-- transaction that it acts in, so the actor contains its organisation.
CREATE FUNCTION note_acting_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.actor_user_id IS NULL THEN
      NEW.acting_organisation_id := nullif(
        (nullif(current_setting('audit.actor', true), '')::jsonb ->> 'organisationId')::integer, NEW.organisation_id);
      RETURN NEW;
    END IF;
    SELECT u.organisation_id INTO NEW.acting_organisation_id FROM @schema@.users u
    WHERE u.id = NEW.actor_user_id AND u.organisation_id IS DISTINCT FROM NEW.organisation_id;
    RETURN NEW;
  END $$;
CREATE TRIGGER audit_log_acting_organisation BEFORE INSERT ON audit_log FOR EACH ROW
  WHEN (NEW.actor_user_id IS NOT NULL OR NEW.actor_credential_kind = 'service_key')
  EXECUTE FUNCTION note_acting_organisation();

-- A row about a support login arrives with the user of the login as its actor. The trigger makes the staff member the actor, from
-- the row about the beginning of the login, which outlives the login; the user stays in the row.
CREATE FUNCTION note_support() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.on_behalf_of := NEW.actor_user_id;
    SELECT (begun.after ->> 'staff_id')::integer INTO NEW.actor_user_id FROM @schema@.audit_log begun
    WHERE begun.table_name = 'logins' AND begun.record_id = NEW.actor_credential_id AND begun.action = 'insert';
    IF NEW.acting_organisation_id IS NULL THEN
      SELECT u.organisation_id INTO NEW.acting_organisation_id FROM @schema@.users u
      WHERE u.id = NEW.actor_user_id AND u.organisation_id IS DISTINCT FROM NEW.organisation_id;
    END IF;
    RETURN NEW;
  END $$;
-- Runs after audit_log_acting_organisation, which finds the organisation of the user: triggers run by name.
CREATE TRIGGER audit_log_support BEFORE INSERT ON audit_log FOR EACH ROW
  WHEN (NEW.actor_credential_kind = 'support_login') EXECUTE FUNCTION note_support();

-- Roles with default privileges, such as one that only serves requests, may only read.
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
