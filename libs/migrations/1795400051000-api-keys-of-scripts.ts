import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys that only read, that gave their place to another, and of whose end their users are told. */
export class ApiKeysOfScripts1795400051000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN read_only boolean NOT NULL DEFAULT false,
        ADD COLUMN rotated_at timestamptz,
        ADD COLUMN told_days_left smallint;
      CREATE INDEX api_keys_by_end ON api_keys (expires_at);
    `);
    await runner.query(auditWithout('last_used_at', 'told_days_left'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(auditWithout('last_used_at'));
    await runner.query(`
      DROP INDEX api_keys_by_end;
      ALTER TABLE api_keys DROP COLUMN told_days_left, DROP COLUMN rotated_at, DROP COLUMN read_only;
    `);
  }
}

/** Whether a user was told is bookkeeping, and told by the notification; a new key says nothing of it. */
const auditWithout = (...columns: readonly string[]): string => `
  CREATE OR REPLACE TRIGGER audit AFTER UPDATE OR DELETE ON api_keys
    FOR EACH ROW EXECUTE FUNCTION audit_change(${columns.map((column) => `'${column}'`).join(', ')});
`;
