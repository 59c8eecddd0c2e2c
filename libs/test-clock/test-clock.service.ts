import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { MOVE_MAIL_BUDGETS } from '@app/core/mail/mail-budget';

/** Instants that stay where they are; a test asks for a reason for each. */
export const UNMOVED_INSTANTS: Readonly<Record<string, string>> = {
  'audit_log.at': 'the log only grows, and tells when something really happened',
  'organisations.next_invoice_run': 'a date that a client wrote and reads again; nothing here ends by it',
  'mail_budgets.hour': 'begins with an hour of the clock, and so moves by whole hours',
};

const COUNT = `
  WITH moved AS (UPDATE test_clock SET moved_seconds = moved_seconds + $1 RETURNING id) SELECT id FROM moved`;

const MOVED_COLUMNS = `
  SELECT a.attrelid::regclass::text AS "table", array_agg(quote_ident(a.attname)) AS columns
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
    AND a.atttypid = 'timestamptz'::regtype AND c.relname || '.' || a.attname <> ALL ($1::text[])
  GROUP BY a.attrelid ORDER BY 1`;

interface MovedTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Jobs that wait; `locked_at` of those under way belongs to a process that really runs. */
const MOVE_JOBS = `
  UPDATE graphile_worker._private_jobs SET
    run_at = run_at - make_interval(secs => $1),
    created_at = created_at - make_interval(secs => $1),
    updated_at = updated_at - make_interval(secs => $1),
    payload = CASE WHEN payload ->> 'expiresAt' IS NULL THEN payload ELSE jsonb_set(payload::jsonb, '{expiresAt}',
      to_jsonb((payload ->> 'expiresAt')::timestamptz - make_interval(secs => $1)))::json END`;

/**
 * Lets time pass in a database of tests. The clock on the wall stays; everything that is stored becomes older. So the
 * statements of the service are what they are for customers, and processes need not be told.
 */
@Injectable()
export class TestClockService {
  constructor(private readonly transactions: Transactions) {}

  /** All or nothing, and nobody writes meanwhile. */
  async move(seconds: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const marked = await manager.query<object[]>(COUNT, [seconds]);
      if (marked.length === 0) throw new NotFound('Test clock');
      const tables = await manager.query<MovedTable[]>(MOVED_COLUMNS, [Object.keys(UNMOVED_INSTANTS)]);
      await manager.query(
        `LOCK TABLE ${tables.map(({ table }) => table).join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
      );
      for (const table of tables) await this.moveTable(manager, table, seconds);
      await manager.query(MOVE_MAIL_BUDGETS, [seconds]);
      await manager.query(MOVE_JOBS, [seconds]);
    });
  }

  /** Without its triggers: that time passes is no change of a record, and the audit log tells it once. */
  private async moveTable(
    manager: EntityManager,
    { table, columns }: MovedTable,
    seconds: number,
  ): Promise<void> {
    const moves = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`);
    await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await manager.query(`UPDATE ${table} SET ${moves.join(', ')}`, [seconds]);
    await manager.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  }
}
