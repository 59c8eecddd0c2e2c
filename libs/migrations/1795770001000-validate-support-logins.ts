import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates and indexes what the migration before added, beside readers and writers. */
export class ValidateSupportLogins1795770001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS logins_of_staff');
    await runner.query(
      'CREATE INDEX CONCURRENTLY logins_of_staff ON logins (staff_id) WHERE staff_id IS NOT NULL',
    );
    for (const constraint of ['staff_exists', 'support_whole', 'support_bounded'])
      await runner.query(`ALTER TABLE logins VALIDATE CONSTRAINT logins_${constraint}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX logins_of_staff');
  }
}
