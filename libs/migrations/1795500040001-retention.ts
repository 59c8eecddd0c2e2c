import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ended invitations are found by their end, to be deleted when their retention is over. Built beside writers, which no
 * transaction can do; what an interrupted try has left is built again.
 */
export class Retention1795500040001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS invitations_by_end');
    await runner.query(
      'CREATE INDEX CONCURRENTLY invitations_by_end ON invitations (least(accepted_at, deleted_at, expires_at))',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX invitations_by_end');
  }
}
