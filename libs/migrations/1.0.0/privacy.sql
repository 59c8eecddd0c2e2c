-- Erasures of persons.

-- Words that an erasure could not remove yet, such as an address that another person also has: a second run must look for them.
-- The words are sealed with SECRETS_KEY and are not audited, because the audit log would keep them.
CREATE TABLE erasure_remains (
  user_id integer CONSTRAINT erasure_remains_pkey PRIMARY KEY
    CONSTRAINT erasure_remains_user_exists REFERENCES users,
  sealed text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Erased users, for the check of a restored backup. There is no foreign key: a list from a later database may name users whom
-- this database never had.
CREATE TABLE erasures (
  user_id integer CONSTRAINT erasures_pkey PRIMARY KEY,
  erased_on date NOT NULL
);
