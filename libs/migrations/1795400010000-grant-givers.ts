import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A grant remembers from which organisation above it was given, and ends with the last link from there, in the
 * statement that takes the link away (decisions.md section 11). Grants from before have no giver, and stay.
 */
export class GrantGivers1795400010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE acls ADD COLUMN giver_organisation_id integer CONSTRAINT acls_giver_exists REFERENCES organisations;
      COMMENT ON COLUMN acls.giver_organisation_id IS
        'The organisation above that gave it, and without whose reach it ends; null: it does not depend on any.';
      CREATE INDEX acls_of_giver ON acls (giver_organisation_id, organisation_id)
        WHERE giver_organisation_id IS NOT NULL;

      CREATE FUNCTION end_grants_out_of_reach() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM acls USING gone
        WHERE acls.giver_organisation_id = gone.ancestor_id AND acls.organisation_id = gone.descendant_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER organisation_closure_grants AFTER DELETE ON organisation_closure
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION end_grants_out_of_reach();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION end_grants_out_of_reach CASCADE;
      ALTER TABLE acls DROP COLUMN giver_organisation_id;
    `);
  }
}
