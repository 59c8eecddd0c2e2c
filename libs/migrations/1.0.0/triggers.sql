-- Functions of triggers that tables of several domains use.

-- The limits on the rows of a user, an organisation or a team (rule requests 69). Counts under a lock of the
-- owner, so that parallel requests cannot exceed the limit together. For the rows of a statement it first locks their owners in
-- order and then counts all rows: an import writes hundreds at a time.
CREATE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$
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
    
    EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) USING NEW INTO owner;
    PERFORM pg_advisory_xact_lock(hashtext(TG_ARGV[2]), owner);
    EXECUTE format('SELECT count(*) FROM %I WHERE %I = $1 AND %s', TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[3])
      USING owner INTO present;
    IF present >= TG_ARGV[1]::integer THEN
      RAISE check_violation USING CONSTRAINT = TG_ARGV[2], MESSAGE = format('%s of %s %s', present, TG_ARGV[0], owner);
    END IF;
    RETURN NEW;
  END $$;
COMMENT ON FUNCTION limit_rows IS
  'Arguments: column of the owner, most rows, name of the constraint, which rows count. For a row before, or for a statement after it.';

-- A new row of a user replaces the oldest one at the limit, under the same lock of the user.
CREATE FUNCTION make_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext(TG_NAME), NEW.user_id);
        EXECUTE format(
          'DELETE FROM %1$I WHERE id = (SELECT id FROM %1$I WHERE user_id = $1 ORDER BY %2$I, id LIMIT 1)
             AND (SELECT count(*) FROM %1$I WHERE user_id = $1) > $2',
          TG_TABLE_NAME, TG_ARGV[0]
        ) USING NEW.user_id, TG_ARGV[1]::integer;
        RETURN NULL;
      END $$;
COMMENT ON FUNCTION make_room IS 'Arguments: column that tells the age of a row, most rows of a user.';

-- The time of the last change of a part of a row; null if it never changed.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], now()));
  END $$;
COMMENT ON FUNCTION stamp_change IS 'Argument: column that tells when the change was made.';

-- The version of a record, which its entity tag contains (rule idempotency 17). A trigger counts it, so that no statement of a
-- domain or a psql session can forget it. Some columns do not count, because they say nothing about the record itself: secrets,
-- counts, the last use, sent notices. A statement that sets only the version sets it: `cli after-restore` increases all versions
-- (rule idempotency 33).
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    uncounted text[] := coalesce(TG_ARGV, '{}') || '{version}'::text[];
  BEGIN
    IF to_jsonb(NEW) - uncounted <> to_jsonb(OLD) - uncounted THEN NEW.version := OLD.version + 1; END IF;
    RETURN NEW;
  END $$;
COMMENT ON FUNCTION count_version IS 'Arguments: columns whose changes do not count.';
