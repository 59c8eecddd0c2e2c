import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Fills the list with those who were erased before it was there. Runs beside writers, and can run again. */
export class ErasuresBeforeTheRegister1795790001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The audit log may have lost the rows of an old erasure.
    await runner.query(`
      INSERT INTO erasures (user_id, erased_on)
      SELECT u.id, (coalesce((
          SELECT min(a.at) FROM audit_log a
          WHERE a.table_name = 'users' AND a.record_id = u.id AND a.action = 'update'
            AND a.actor_credential_kind = 'command' AND a.request_id = 'person erase'
        ), u.deleted_at) AT TIME ZONE 'UTC')::date
      FROM users u WHERE u.deleted_at IS NOT NULL AND u.username = 'erased-' || u.id AND u.first_name = ''
      ON CONFLICT (user_id) DO NOTHING
    `);
  }

  down(): Promise<void> {
    // The migration before removes the table.
    return Promise.resolve();
  }
}
