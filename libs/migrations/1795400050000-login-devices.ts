import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From where and with what a login was made, as its user is told. Logins of before, which soon end, do not tell. */
export class LoginDevices1795400050000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE logins
        ADD COLUMN os varchar(128) NOT NULL DEFAULT '',
        ADD COLUMN browser varchar(128) NOT NULL DEFAULT '',
        ADD COLUMN country varchar(2) NOT NULL DEFAULT '';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE logins DROP COLUMN country, DROP COLUMN browser, DROP COLUMN os`);
  }
}
