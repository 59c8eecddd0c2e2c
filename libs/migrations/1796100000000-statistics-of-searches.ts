import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The expressions that a search for a part of a text compares, by the name of their statistics. */
const SEARCHED = {
  organisations_searched:
    '(organisation_search_text(name, tax_number, street, house_number, zip, city)) FROM organisations',
  organisations_searched_name: '(lower(name)) FROM organisations',
  organisations_searched_tax_number: '(lower(tax_number)) FROM organisations',
  organisations_searched_external_id: '(lower(external_id)) FROM organisations',
  users_searched: '(user_search_text(username, first_name, last_name)) FROM users',
};

/**
 * Tells the planner how many rows have a part of a text. It does not use the statistics of the partial indexes on these
 * expressions, and expected one row in 10,000 for any long text. For a text that most organisations have it then read all of them
 * through the index, once for the total and once more for the page. Neither statement keeps readers or writers waiting.
 */
export class StatisticsOfSearches1796100000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, of] of Object.entries(SEARCHED))
      await runner.query(`CREATE STATISTICS IF NOT EXISTS ${name} ON ${of}`);
    await runner.query('ANALYZE organisations, users');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP STATISTICS IF EXISTS ${Object.keys(SEARCHED).join(', ')}`);
  }
}
