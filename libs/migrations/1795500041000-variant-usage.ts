import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often which variant is called, a day at a time: by whose users, with which programs, for what. Small whatever is
 * sent: operations are those of the service, and a day knows a limited number of programs.
 */
export class VariantUsage1795500041000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE variant_usage (
        day date NOT NULL,
        variant varchar(1) NOT NULL,
        operation varchar(160) NOT NULL,
        organisation_id integer NOT NULL,
        program varchar(32) NOT NULL,
        credential varchar(8) NOT NULL CONSTRAINT variant_usage_credential_known
          CHECK (credential IN ('login', 'api_key', 'none')),
        requests bigint NOT NULL,
        CONSTRAINT variant_usage_pkey PRIMARY KEY (day, variant, organisation_id, operation, program, credential)
      );
      COMMENT ON COLUMN variant_usage.organisation_id IS
        'The organisation of the caller, as history without a foreign key; 0 where the route asks for no credential.';
      CREATE TABLE variant_programs (
        day date NOT NULL,
        program varchar(32) NOT NULL,
        CONSTRAINT variant_programs_pkey PRIMARY KEY (day, program)
      );
      COMMENT ON TABLE variant_programs IS 'Programs that a day knows by name; all others are "other".';

      CREATE FUNCTION record_variant_usage(of_variant text, operations text[], organisations integer[], programs text[],
        credentials text[], counts bigint[], most_programs integer) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        today date := (now() AT TIME ZONE 'UTC')::date;
      BEGIN
        -- Processes write one after the other: two would know more programs than the day may, and wait for each other's rows.
        PERFORM pg_advisory_xact_lock(7218450021);
        INSERT INTO variant_programs
          SELECT today, named.program FROM (SELECT DISTINCT unnest(programs) AS program) named
          WHERE named.program <> 'other'
            AND NOT EXISTS (SELECT 1 FROM variant_programs p WHERE p.day = today AND p.program = named.program)
          ORDER BY 2 LIMIT greatest(0, most_programs - (SELECT count(*) FROM variant_programs WHERE day = today));
        INSERT INTO variant_usage AS u (day, variant, operation, organisation_id, program, credential, requests)
          SELECT today, of_variant, listed.operation, listed.organisation, coalesce(p.program, 'other'),
            listed.credential, sum(listed.count)
          FROM unnest(operations, organisations, programs, credentials, counts)
            AS listed (operation, organisation, program, credential, count)
          LEFT JOIN variant_programs p ON p.day = today AND p.program = listed.program
          GROUP BY 3, 4, 5, 6
        ON CONFLICT ON CONSTRAINT variant_usage_pkey DO UPDATE SET requests = u.requests + excluded.requests;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION record_variant_usage;
      DROP TABLE variant_programs;
      DROP TABLE variant_usage;
    `);
  }
}
