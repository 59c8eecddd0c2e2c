import type { MigrationInterface, QueryRunner } from 'typeorm';

const FUNCTIONS = ['take_place_of_kept_response', 'make_room_of_caller'];

/**
 * Each connection keeps the plans of these functions. A plan for an almost empty table reads it whole, and goes on doing so
 * while the table grows, until PostgreSQL analyses it: 0.38 instead of 0.03 milliseconds for a caller with 1,000 responses.
 */
export class PlacesOfKeptResponses1796200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} SET enable_seqscan = off`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of FUNCTIONS) await runner.query(`ALTER FUNCTION ${name} RESET enable_seqscan`);
  }
}
