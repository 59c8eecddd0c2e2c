-- Calls of each variant by day, organisation, program and operation. The table stays small: operations are those of the service,
-- and the number of programs per day is limited.

CREATE TABLE variant_usage (
  day date NOT NULL,
  variant varchar(1) NOT NULL,
  operation varchar(160) NOT NULL,
  organisation_id integer NOT NULL,
  program varchar(32) NOT NULL,
  credential varchar(16) NOT NULL CONSTRAINT variant_usage_credential_known
    CHECK (credential IN ('login', 'api_key', 'service_key', 'none')),
  requests bigint NOT NULL,
  CONSTRAINT variant_usage_pkey PRIMARY KEY (day, variant, organisation_id, operation, program, credential)
);
COMMENT ON COLUMN variant_usage.organisation_id IS
  'The organisation of the caller, as history without a foreign key; 0 where the route asks for no credential.';

CREATE TABLE variant_programs (
  day date NOT NULL,
  program varchar(32) NOT NULL,
  organisation_id integer NOT NULL,
  CONSTRAINT variant_programs_pkey PRIMARY KEY (day, program)
);
COMMENT ON TABLE variant_programs IS 'Programs that a day knows by name; all others are "other".';
COMMENT ON COLUMN variant_programs.organisation_id IS
  'The organisation whose call gave the name first, as history without a foreign key.';

-- An organisation adds at most ten of a day's program names, so that one organisation does not use up the names of others.
CREATE FUNCTION record_variant_usage(of_variant text, operations text[], organisations integer[],
  programs text[], credentials text[], counts bigint[], most_programs integer) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        today date := (now() AT TIME ZONE 'UTC')::date;
      BEGIN
        -- Processes write one after the other: two would know more programs than the day may, and wait for each other's rows.
        PERFORM pg_advisory_xact_lock(7218450021);
        INSERT INTO variant_programs (day, program, organisation_id)
          SELECT today, program, organisation FROM (
            SELECT DISTINCT ON (program) program, organisation, place FROM (
              SELECT program, organisation, row_number() OVER (PARTITION BY organisation ORDER BY program) AS place
              FROM (SELECT DISTINCT * FROM unnest(programs, organisations)) AS named (program, organisation)
              WHERE program <> 'other'
                AND NOT EXISTS (SELECT 1 FROM variant_programs p WHERE p.day = today AND p.program = named.program)
            ) fresh
            WHERE place <= 10 - (
              SELECT count(*) FROM variant_programs p WHERE p.day = today AND p.organisation_id = organisation)
            ORDER BY program, place
          ) fitting
          ORDER BY place, program
          LIMIT greatest(0, most_programs - (SELECT count(*) FROM variant_programs WHERE day = today));
        INSERT INTO variant_usage AS u (day, variant, operation, organisation_id, program, credential, requests)
          SELECT today, of_variant, listed.operation, listed.organisation, coalesce(p.program, 'other'),
            listed.credential, sum(listed.count)
          FROM unnest(operations, organisations, programs, credentials, counts)
            AS listed (operation, organisation, program, credential, count)
          LEFT JOIN variant_programs p ON p.day = today AND p.program = listed.program
          GROUP BY 3, 4, 5, 6
        ON CONFLICT ON CONSTRAINT variant_usage_pkey DO UPDATE SET requests = u.requests + excluded.requests;
      END $$;
