-- Erasures of persons.

-- What an erasure could not reach yet, such as an address that somebody else has too: a second run must know what to look
-- for. The words are sealed with SECRETS_KEY and are not audited: the audit log would keep them.
CREATE TABLE erasure_remains (
  user_id integer CONSTRAINT erasure_remains_pkey PRIMARY KEY
    CONSTRAINT erasure_remains_user_exists REFERENCES users,
  sealed text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Who was erased, so that a restored backup can be told. There is no foreign key: a list from a later database may name
-- users whom this one has never had.
CREATE TABLE erasures (
  user_id integer CONSTRAINT erasures_pkey PRIMARY KEY,
  erased_on date NOT NULL
);
