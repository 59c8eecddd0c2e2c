-- The digest of the SQL that each migration was when it ran here, written in its transaction. A build that knows the migration by
-- its name, but with other SQL, does not start on this database. First of all, because every migration writes to it.

CREATE TABLE schema_digests (
  migration text CONSTRAINT schema_digests_pkey PRIMARY KEY,
  sha256 text NOT NULL
);
COMMENT ON TABLE schema_digests IS 'What each row of migrations has run: the digest of its SQL.';
