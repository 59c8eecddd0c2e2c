import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A webhook, or an organisation with twenty, may have a million deliveries: to delete them in the request would take longer than
 * a statement may, under the lock of the tree. Deliveries without a webhook are sent and shown to nobody; the clean-up
 * deletes them in batches. No webhook gets the id of an earlier one.
 */
export class DeliveriesWithoutWebhook1795762000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhook_deliveries DROP CONSTRAINT IF EXISTS webhook_deliveries_webhook_exists',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM webhook_deliveries d WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = d.webhook_id);
      ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_webhook_exists
        FOREIGN KEY (webhook_id) REFERENCES webhooks ON DELETE CASCADE;
    `);
  }
}
