import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who was erased, so that a restored backup can be told. There is no foreign key: a list from a later database may name
 * users whom this one has never had.
 */
export class Erasures1795790000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasures (
        user_id integer CONSTRAINT erasures_pkey PRIMARY KEY,
        erased_on date NOT NULL
      );
    `);
    // The audit log may have lost the rows of an old erasure.
    await runner.query(`
      INSERT INTO erasures (user_id, erased_on)
      SELECT u.id, (coalesce((
          SELECT min(a.at) FROM audit_log a
          WHERE a.table_name = 'users' AND a.record_id = u.id AND a.action = 'update'
            AND a.actor_credential_kind = 'command' AND a.request_id = 'person erase'
        ), u.deleted_at) AT TIME ZONE 'UTC')::date
      FROM users u WHERE u.deleted_at IS NOT NULL AND u.username = 'erased-' || u.id AND u.first_name = ''
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasures');
  }
}
