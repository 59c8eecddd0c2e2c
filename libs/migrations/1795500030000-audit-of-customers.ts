import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Customers read their part of the audit log: what happened to an organisation, and what its users did elsewhere. The
 * second is found by a column that the few rows have whose actor belongs to another organisation than the record; rows of
 * imports, that have no actor, do not even ask. Older rows get it with the indexes.
 */
export class AuditOfCustomers1795500030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query(`SELECT quote_ident(current_schema()) AS schema`)) as [
      { schema: string },
    ];
    await runner.query(`
      ALTER TABLE audit_log ADD COLUMN acting_organisation_id integer;
      COMMENT ON COLUMN audit_log.acting_organisation_id IS
        'Organisation of the acting user, where it is another than that of the record.';

      CREATE FUNCTION note_acting_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT u.organisation_id INTO NEW.acting_organisation_id FROM ${schema}.users u
        WHERE u.id = NEW.actor_user_id AND u.organisation_id IS DISTINCT FROM NEW.organisation_id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER audit_log_acting_organisation BEFORE INSERT ON audit_log
        FOR EACH ROW WHEN (NEW.actor_user_id IS NOT NULL) EXECUTE FUNCTION note_acting_organisation();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION note_acting_organisation CASCADE;
      ALTER TABLE audit_log DROP COLUMN acting_organisation_id;
    `);
  }
}
