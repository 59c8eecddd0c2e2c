-- The audit log only grows, with two exceptions (docs/audit.md): an erasure takes the texts of a person's records and the
-- addresses of its acts out of it, and a clean-up deletes rows past their retention. Functions make the exceptions. Triggers check
-- each row that is updated or deleted, and record each exception.

CREATE FUNCTION forget_strings(value jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    RETURN CASE jsonb_typeof(value)
      WHEN 'string' THEN CASE
        WHEN value IN ('""', '"(changed)"') OR value #>> '{}' ~ '^\d{4}-\d\d-\d\d[T ][0-9:.+Z-]+$' THEN value
        ELSE '"(erased)"' END
      WHEN 'array' THEN (SELECT coalesce(jsonb_agg(forget_strings(item) ORDER BY place), '[]')
        FROM jsonb_array_elements(value) WITH ORDINALITY listed (item, place))
      WHEN 'object' THEN (SELECT coalesce(jsonb_object_agg(field.key, forget_strings(field.value)), '{}')
        FROM jsonb_each(value) field)
      ELSE value END;
  END $$;

CREATE FUNCTION forget_columns(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
  RETURN (SELECT jsonb_object_agg(field.key, CASE WHEN field.key IN ('auto_roles', 'groups', 'kind', 'language',
      'object', 'roles', 'second_factor', 'status', 'type') THEN field.value ELSE forget_strings(field.value) END)
    FROM jsonb_each(value) field);
COMMENT ON FUNCTION forget_columns IS
  'The columns of a row of a person: texts are forgotten, also of columns to come, but for those that say nothing of anybody.';

-- The setting names the intended exception, against mistakes of the owner. The protection is that only the owner of the table,
-- and no superuser, gets this far, and that each row is checked afterwards.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('audit.exception', true)
        = (CASE TG_OP WHEN 'UPDATE' THEN 'erasure' WHEN 'DELETE' THEN 'retention' END)
      AND current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = TG_RELID) THEN
      RETURN NULL;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = format('audit_log is append-only: %s is refused', TG_OP),
      HINT = 'docs/audit.md says how its owner ends the retention of old rows.';
  END $$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_is_append_only;

-- Whether a value is the same as before, except for texts that are (erased) now.
CREATE FUNCTION is_forgotten(was jsonb, becomes jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    IF was IS NOT DISTINCT FROM becomes THEN RETURN true; END IF;
    IF was IS NULL OR becomes IS NULL OR jsonb_typeof(was) <> jsonb_typeof(becomes) THEN RETURN false; END IF;
    RETURN CASE jsonb_typeof(was)
      WHEN 'string' THEN becomes = '"(erased)"'
      WHEN 'array' THEN jsonb_array_length(was) = jsonb_array_length(becomes) AND (
        SELECT bool_and(is_forgotten(was -> place, becomes -> place))
        FROM generate_series(0, jsonb_array_length(was) - 1) AS listed (place))
      WHEN 'object' THEN (SELECT bool_and(is_forgotten(was -> key, becomes -> key))
        FROM (SELECT jsonb_object_keys(was) UNION SELECT jsonb_object_keys(becomes)) AS named (key))
      ELSE false END;
  END $$;

CREATE FUNCTION hold_audit_exception() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      IF OLD.at < now() - interval '30 days' THEN RETURN OLD; END IF;
    ELSIF to_jsonb(OLD) - '{before,after,address}'::text[] = to_jsonb(NEW) - '{before,after,address}'::text[]
      AND (NEW.address IS NULL OR NEW.address = OLD.address)
      AND is_forgotten(OLD.before, NEW.before) AND is_forgotten(OLD.after, NEW.after) THEN
      RETURN NEW;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = CASE TG_OP
      WHEN 'DELETE' THEN 'audit_log keeps the rows of 30 days'
      ELSE 'audit_log is append-only: texts can be erased and nothing else' END;
  END $$;
CREATE TRIGGER audit_log_holds_exceptions BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION hold_audit_exception();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_holds_exceptions;

-- One row for each statement that made an exception: the actor, the rows and their number, without their content.
CREATE FUNCTION record_audit_exception() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = @schema@, pg_temp AS $$
  DECLARE
    actor jsonb := nullif(current_setting('audit.actor', true), '')::jsonb;
  BEGIN
    INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, request_id,
      action, table_name, record_id, after)
    SELECT (actor ->> 'userId')::integer, left(actor ->> 'kind', 32), (actor ->> 'credentialId')::integer,
      left(actor ->> 'name', 255), nullif(left(actor ->> 'address', 45), ''), left(actor ->> 'requestId', 64),
      lower(TG_OP), TG_TABLE_NAME, least(min(id), 2147483647)::integer,
      jsonb_build_object('rows', count(*), 'first_id', min(id), 'last_id', max(id), 'first_at', min(at), 'last_at', max(at))
    FROM touched HAVING count(*) > 0;
    RETURN NULL;
  END $$;
CREATE TRIGGER audit_log_records_erasures AFTER UPDATE ON audit_log REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION record_audit_exception();
CREATE TRIGGER audit_log_records_retention AFTER DELETE ON audit_log REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION record_audit_exception();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_records_erasures;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_records_retention;

-- The functions run with the rights of the table's owner. Other roles may call them only if the owner permits it.
CREATE FUNCTION forget_addresses_in_audit(person integer, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = @schema@, pg_temp AS $$
  DECLARE
    touched integer;
  BEGIN
    PERFORM set_config('audit.exception', 'erasure', true);
    UPDATE audit_log SET address = NULL WHERE id IN (
      SELECT id FROM audit_log WHERE actor_user_id = person AND address IS NOT NULL ORDER BY id LIMIT most);
    GET DIAGNOSTICS touched = ROW_COUNT;
    PERFORM set_config('audit.exception', '', true);
    RETURN touched;
  END $$;
COMMENT ON FUNCTION forget_addresses_in_audit IS 'Takes the addresses that a person acted from out of the oldest rows that have one.';

CREATE FUNCTION forget_records_in_audit(person integer, own_tables text[], own_records integer[]) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = @schema@, pg_temp AS $$
  DECLARE
    touched integer;
  BEGIN
    PERFORM set_config('audit.exception', 'erasure', true);
    UPDATE audit_log a SET
      address = CASE WHEN a.actor_user_id <> person THEN a.address END,
      before = forget_columns(a.before),
      after = forget_columns(a.after)
    FROM (SELECT DISTINCT * FROM unnest(own_tables, own_records)) AS own (table_name, record_id)
    WHERE own.table_name = a.table_name AND own.record_id = a.record_id
      AND ((a.address IS NOT NULL AND a.actor_user_id IS NOT DISTINCT FROM person)
        OR (a.address IS NOT NULL AND a.actor_user_id IS NULL)
        OR forget_columns(a.before) IS DISTINCT FROM a.before OR forget_columns(a.after) IS DISTINCT FROM a.after);
    GET DIAGNOSTICS touched = ROW_COUNT;
    PERFORM set_config('audit.exception', '', true);
    RETURN touched;
  END $$;
COMMENT ON FUNCTION forget_records_in_audit IS 'Takes all texts out of the rows about records of a person.';

CREATE FUNCTION end_audit_rows(older_than interval, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = @schema@, pg_temp AS $$
  DECLARE
    touched integer;
  BEGIN
    PERFORM set_config('audit.exception', 'retention', true);
    DELETE FROM audit_log WHERE id IN (
      SELECT id FROM audit_log WHERE at < now() - older_than ORDER BY at LIMIT most);
    GET DIAGNOSTICS touched = ROW_COUNT;
    PERFORM set_config('audit.exception', '', true);
    RETURN touched;
  END $$;
COMMENT ON FUNCTION end_audit_rows IS 'Deletes the oldest rows that are older than that, which is 30 days at least.';

REVOKE ALL ON FUNCTION forget_addresses_in_audit, forget_records_in_audit, end_audit_rows FROM PUBLIC;
