import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entities can be removed (decisions.md section 11): who took which into the register, and out of it, is on record. */
export class EntityRemoval1795400011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON entities
        FOR EACH ROW EXECUTE FUNCTION audit_change();
      CREATE INDEX team_entities_of_object ON team_entities (kind, object_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit ON entities;
      DROP INDEX team_entities_of_object;
    `);
  }
}
