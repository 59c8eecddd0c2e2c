import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns by which lists look up what belongs to each of their rows. */
const LOOKED_UP_BY = [
  ['users', 'organisation_id'],
  ['invitations', 'organisation_id'],
  ['team_members', 'team_id'],
  ['team_entities', 'team_id'],
  ['notification_recipients', 'notification_id'],
] as const;

/**
 * Tells the planner that such a column has a different value in every second row. Where one organisation has nearly all
 * of them (a large customer on a young service), it would otherwise count few values, expect as many rows for every
 * other organisation, and read the whole table for each row of a list.
 */
export class PlannerStatistics1700000007100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of LOOKED_UP_BY) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET (n_distinct = -0.5)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of LOOKED_UP_BY) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} RESET (n_distinct)`);
    }
  }
}
