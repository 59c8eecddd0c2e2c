import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an erasure could not reach yet, such as an address that somebody else has too: a second run must know what to look
 * for. The words are sealed with `SECRETS_KEY` and are not audited: the audit log would keep them.
 */
export class ErasureRemains1795700040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasure_remains (
        user_id integer CONSTRAINT erasure_remains_pkey PRIMARY KEY
          CONSTRAINT erasure_remains_user_exists REFERENCES users,
        sealed text NOT NULL,
        expires_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasure_remains');
  }
}
