import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/platform/database/transactions';
import { type ConstraintErrors, limitReached, NotFound } from '@app/platform/errors/api-error';
import { MOVE_JOBS } from '@app/platform/jobs/job-tables';
import { CredentialUse } from '@app/security/access/credential-use';
import type { RequestContext } from '@app/security/context/request-context';

export const TEST_CLOCK_CONSTRAINT_ERRORS: ConstraintErrors = {
  test_clock_moved_at_most: limitReached('The clock of a database can be moved by 20 years in all.'),
};

/** Timestamps that do not move. A test requires a reason for each. */
export const UNMOVED_INSTANTS: Readonly<Record<string, string>> = {
  'audit_log.at': 'the log only grows, with real times',
  'organisations.next_invoice_run': 'a client writes and reads it; nothing expires by it',
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

/**
 * Lets time pass in a database of tests. The real clock does not change; all stored timestamps move back. So
 * the service runs the same statements as for customers, and other processes need no message.
 */
@Injectable()
export class TestClockService {
  constructor(
    private readonly transactions: Transactions,
    private readonly use: CredentialUse,
  ) {}

  /** Runs one transaction whose locks block all other writes. */
  async move(ctx: RequestContext, seconds: number): Promise<void> {
    // A use from before the move would be written as one after it.
    await this.use.written();
    await this.transactions.run(ctx, async (manager) => {
      const marked = await manager.query<object[]>(COUNT, [seconds]);
      if (marked.length === 0) throw new NotFound('Test clock');
      const tables = await manager.query<MovedTable[]>(MOVED_COLUMNS, [Object.keys(UNMOVED_INSTANTS)]);
      await manager.query(
        `LOCK TABLE ${tables.map(({ table }) => table).join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
      );
      for (const table of tables) await this.moveTable(manager, table, seconds);
      await manager.query(MOVE_JOBS, [seconds]);
    });
  }

  /** Disables the triggers, so that the audit log gets one entry for the whole move. */
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
