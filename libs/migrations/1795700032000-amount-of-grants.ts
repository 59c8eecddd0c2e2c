import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bounds the grants that an organisation gives (decisions.md section 13). Rows that are there already stay. */
export class AmountOfGrants1795700032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { table, owner, most, condition } = LIMIT;
    // After the statement: a grant that is repeated inserts no row, so that it passes at the limit too.
    await runner.query(`CREATE TRIGGER ${NAME} AFTER INSERT ON ${table} REFERENCING NEW TABLE AS inserted
      FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('${owner}', '${most}', '${NAME}', '${condition}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER ${NAME} ON ${LIMIT.table}`);
  }
}

const LIMIT = { table: 'acls', owner: 'organisation_id', most: 200, condition: 'true' };
const NAME = 'acls_limit_of_organisation';
