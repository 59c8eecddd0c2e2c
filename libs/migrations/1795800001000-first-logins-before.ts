import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whoever has logged in before the table was there has had its first login. Known networks go after 30 days; the audit log
 * knows older logins. Runs beside writers, and can run again.
 */
export class FirstLoginsBefore1795800001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO first_logins (user_id, logged_in_at)
      SELECT seen.user_id, min(seen.at) FROM (
        SELECT user_id, last_login_at AS at FROM known_networks
        UNION ALL
        SELECT (after ->> 'user_id')::integer, at FROM audit_log
        WHERE table_name = 'logins' AND action = 'insert' AND after ->> 'staff_id' IS NULL
      ) seen JOIN users u ON u.id = seen.user_id AND u.deleted_at IS NULL
      GROUP BY seen.user_id ON CONFLICT ON CONSTRAINT first_logins_pkey DO NOTHING
    `);
  }

  down(): Promise<void> {
    // The migration before removes the table.
    return Promise.resolve();
  }
}
