import type { MigrationInterface, QueryRunner } from 'typeorm';
import { VariantUsage1795500041000 } from './1795500041000-variant-usage';

/**
 * An organisation gives a day at most ten of the names of programs that the day knows: the names of one organisation do not
 * use up those of others. Calls without a credential have only the families of browsers, which count for nobody.
 */
export class ProgramsOfOrganisations1795720002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE variant_programs ADD COLUMN organisation_id integer NOT NULL DEFAULT 0;
      COMMENT ON COLUMN variant_programs.organisation_id IS
        'The organisation whose call gave the name first, as history without a foreign key; 0 without a credential.';

      CREATE OR REPLACE FUNCTION record_variant_usage(of_variant text, operations text[], organisations integer[],
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
            WHERE organisation = 0 OR place <= 10 - (
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new VariantUsage1795500041000().down(runner);
    await new VariantUsage1795500041000().up(runner);
  }
}
