import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns, beside the name, that panels show of organisations and so order them by. */
const ORDERED = ['tax_number', 'external_id', 'zip', 'city'];

const indexOf = (column: string): string => `organisations_by_${column}`;

/**
 * A page of organisations in the order of a column costs the same however many there are. Built beside writers, which no
 * transaction can do; what an interrupted try has left is built again.
 */
export class OrganisationOrders1795500070000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const column of ORDERED) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${indexOf(column)}`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${indexOf(column)} ON organisations (${column}, id) WHERE deleted_at IS NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${ORDERED.map(indexOf).join(', ')}`);
  }
}
