import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Bounds the lists that stand whole inside a response (decisions.md 12.14): the users of an organisation, the members
 * and the records of a team. Rows that are there already stay; the next one is refused.
 */
export class AmountsOfLists1795600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { table, owner, most, condition } of LIMITS) {
      const name = nameOf({ table, owner });
      // After the statement: ON CONFLICT DO NOTHING inserts no row, so that it passes at the limit too.
      await runner.query(`CREATE TRIGGER ${name} AFTER INSERT ON ${table} REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('${owner}', '${most}', '${name}', '${condition}')`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const limit of LIMITS) await runner.query(`DROP TRIGGER ${nameOf(limit)} ON ${limit.table}`);
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
  { table: 'users', owner: 'organisation_id', most: 10000, condition: 'deleted_at IS NULL' },
  { table: 'team_members', owner: 'team_id', most: 10000, condition: 'true' },
  { table: 'team_entities', owner: 'team_id', most: 10000, condition: 'true' },
];

const nameOf = ({ table, owner }: Pick<Limit, 'table' | 'owner'>): string =>
  `${table}_limit_of_${owner.replace('_id', '')}`;
