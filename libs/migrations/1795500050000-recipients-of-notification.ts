import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The recipients of a notification in their order: other indexes leave out those that were told, or whose user is gone.
 * Built beside writers, which no transaction can do; what an interrupted try has left is built again.
 */
export class RecipientsOfNotification1795500050000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notification_recipients_of_notification');
    await runner.query(
      'CREATE INDEX CONCURRENTLY notification_recipients_of_notification ON notification_recipients (notification_id, id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX notification_recipients_of_notification');
  }
}
