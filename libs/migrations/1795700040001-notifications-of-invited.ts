import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The deletion of a user finds the notifications of every organisation that invited the same address. Built beside
 * writers, which no transaction can do; what an interrupted try has left is built again.
 */
export class NotificationsOfInvited1795700040001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_of_invited');
    await runner.query(
      `CREATE INDEX CONCURRENTLY notifications_of_invited ON notifications (lower(params ->> 'email'))
       WHERE entity_class = 'Invitation'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX notifications_of_invited');
  }
}
