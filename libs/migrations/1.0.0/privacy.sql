-- Erased users, for a restored backup. There is no foreign key: a list from a later database may name users whom this database
-- never had.
CREATE TABLE erasures (
  user_id integer CONSTRAINT erasures_pkey PRIMARY KEY,
  erased_at timestamptz NOT NULL
);
