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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasures');
  }
}
