-- The mark of a database of tests, whose clock may be moved (TEST_CLOCK). Only an unused database can get it, so that no setting
-- and no person can make the logins and keys of customers expire.

CREATE TABLE test_clock (
  id integer DEFAULT 1 CONSTRAINT test_clock_pkey PRIMARY KEY CONSTRAINT test_clock_once CHECK (id = 1),
  moved_seconds bigint NOT NULL DEFAULT 0
    CONSTRAINT test_clock_moved_at_most CHECK (moved_seconds BETWEEN 0 AND 630720000)
);
COMMENT ON TABLE test_clock IS 'Its one row marks a database of tests; it comes with the first admin or never.';

CREATE FUNCTION is_unused_database() RETURNS boolean LANGUAGE sql STABLE AS $$
        SELECT NOT EXISTS (SELECT FROM organisations) AND NOT EXISTS (SELECT FROM users)
          AND NOT EXISTS (SELECT FROM audit_log)
      $$;

CREATE FUNCTION refuse_test_clock() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        LOCK TABLE organisations IN SHARE MODE;
        IF NOT is_unused_database() THEN
          RAISE check_violation USING CONSTRAINT = 'test_clock_of_unused_database',
            MESSAGE = 'the database is in use: its clock cannot be moved';
        END IF;
        RETURN NEW;
      END $$;
CREATE TRIGGER test_clock_of_unused_database BEFORE INSERT ON test_clock
  FOR EACH ROW EXECUTE FUNCTION refuse_test_clock();
ALTER TABLE test_clock ENABLE ALWAYS TRIGGER test_clock_of_unused_database;
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON test_clock FOR EACH ROW EXECUTE FUNCTION audit_change();
