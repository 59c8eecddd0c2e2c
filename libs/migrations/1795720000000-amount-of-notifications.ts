import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bounds the notifications that the users of an organisation write (decisions.md section 13); those of the service's own
 * events are told whatever there is. Rows that are there already do not count. The index is built beside writers, which no
 * transaction can do; what an interrupted try has left is built again.
 */
export class AmountOfNotifications1795720000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE notifications ADD COLUMN IF NOT EXISTS is_written boolean NOT NULL DEFAULT false',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_written');
    await runner.query(
      'CREATE INDEX CONCURRENTLY notifications_written ON notifications (organisation_id) WHERE is_written',
    );
    for (const { table, owner, most, condition } of LIMITS)
      await runner.query(`CREATE OR REPLACE TRIGGER ${NAME} AFTER INSERT ON ${table}
        REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
        EXECUTE FUNCTION limit_rows('${owner}', '${most}', '${NAME}', '${condition}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER ${NAME} ON notifications`);
    await runner.query('ALTER TABLE notifications DROP COLUMN is_written');
  }
}

interface Limit {
  readonly table: string;
  readonly owner: string;
  readonly most: number;
  /** Which rows of the owner count. */
  readonly condition: string;
}

const LIMITS: readonly Limit[] = [
  { table: 'notifications', owner: 'organisation_id', most: 50000, condition: 'is_written' },
];
const NAME = 'notifications_limit_of_organisation';
