import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of the log that are looked at in one statement. */
const BATCH = 10_000;

/** Older rows of the log are events too. Their audience is the tree of today. Runs beside writers, and can run again. */
export class EventsOfOlderRows1795760001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [{ last }] = (await runner.query('SELECT coalesce(max(id), 0) AS last FROM audit_log')) as [
      { last: number },
    ];
    for (let after = 0; after < last; after += BATCH) {
      await runner.query(
        'SELECT note_event_audience(ARRAY(SELECT id FROM audit_log WHERE id > $1 AND id <= $2))',
        [after, after + BATCH],
      );
    }
  }

  down(): Promise<void> {
    // The migration before removes the table.
    return Promise.resolve();
  }
}
