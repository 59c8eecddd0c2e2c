import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A search for those who may manage a record asks for the managers of each organisation above it: without this index,
 * every user of those organisations was looked at. Built beside writers, which no transaction can do; what an interrupted
 * try has left is built again.
 */
export class ManagersOfOrganisations1795740020000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS users_managers');
    await runner.query(
      `CREATE INDEX CONCURRENTLY users_managers ON users (organisation_id, id)
       WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_CUSTADMIN']`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX users_managers');
  }
}
