import type { EntityManager } from 'typeorm';
import { ValidationFailed } from '@app/core/errors/api-error';
import type { Database } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { reasonOf } from '../reason';
import type { Terminal } from '../terminal';
import type { Columns } from './csv-records';
import type { SourceFile } from './source-file';

/** Rows of one transaction: few enough to keep locks short, enough that commits do not dominate. */
const BATCH_SIZE = 500;

/** Refused rows that the report names; standard error has them all. */
const MAX_REPORTED = 1000;

/** What became of one row; `kept` was there already. */
export type RowVerdict = 'stored' | 'kept' | { readonly error: string };

/** How the rows of one kind of file are taken over. */
export interface RowImport<Row> {
  readonly columns: Columns;
  /** Throws ValidationFailed. */
  read(values: Readonly<Record<string, unknown>>): Row;
  /** Writes a batch, and gives a verdict on each row, in order. */
  store(manager: EntityManager, rows: readonly Row[]): Promise<RowVerdict[]>;
}

export interface ImportRun {
  readonly database: Database;
  readonly file: SourceFile;
  readonly terminal: Terminal;
  readonly isTrial: boolean;
  /** Ends the import after the batch in hand. */
  readonly signal: AbortSignal;
}

interface Numbered<Row> {
  readonly line: number;
  readonly row: Row;
}

/** Ends the transaction of a trial. */
class TrialOver extends Error {
  constructor(readonly verdicts: RowVerdict[]) {
    super('rolled back');
  }
}

/**
 * Takes the rows of a file over in batches, each a transaction. A bad row is told with its line and reason and keeps
 * no other from being stored.
 */
export class RowImporter<Row> {
  private stored = 0;
  private kept = 0;
  private refused = 0;
  private readonly reported: { line: number; reason: string }[] = [];

  constructor(
    private readonly rows: RowImport<Row>,
    private readonly run: ImportRun,
  ) {}

  async import(): Promise<Outcome> {
    const { file, terminal, signal } = this.run;
    let batch: Numbered<Row>[] = [];
    try {
      for await (const record of file.records(this.rows.columns)) {
        const row = 'error' in record ? undefined : this.readRow(record.line, record.values);
        if ('error' in record) this.refuse(record.line, record.error);
        if (row !== undefined) batch.push({ line: record.line, row });
        if (batch.length < BATCH_SIZE) continue;
        await this.storeBatch(batch);
        batch = [];
        terminal.progress(file.share, this.counts().join(', '));
        if (signal.aborted) throw new CommandFailed('interrupted: run the same command again to go on');
      }
      await this.storeBatch(batch);
    } catch (error) {
      terminal.endProgress();
      terminal.say(`So far: ${this.counts().join(', ')}`);
      throw error;
    }
    terminal.endProgress();
    return this.outcome();
  }

  private readRow(line: number, values: Readonly<Record<string, unknown>>): Row | undefined {
    try {
      return this.rows.read(values);
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      this.refuse(line, reasonOf(error));
      return undefined;
    }
  }

  private async storeBatch(batch: readonly Numbered<Row>[]): Promise<void> {
    if (batch.length === 0) return;
    let verdicts: RowVerdict[];
    try {
      verdicts = await this.transact(batch.map(({ row }) => row));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      // One row broke the transaction of all: each gets one of its own, so that only that row is lost.
      if (batch.length > 1) {
        for (const numbered of batch) await this.storeBatch([numbered]);
        return;
      }
      verdicts = [{ error: reason }];
    }
    verdicts.forEach((verdict, position) => {
      if (verdict === 'stored') this.stored += 1;
      else if (verdict === 'kept') this.kept += 1;
      else this.refuse(batch[position]?.line ?? 0, verdict.error);
    });
  }

  private async transact(rows: readonly Row[]): Promise<RowVerdict[]> {
    const { database, isTrial } = this.run;
    try {
      return await database.transactions.run(async (manager) => {
        const verdicts = await this.rows.store(manager, rows);
        if (isTrial) throw new TrialOver(verdicts);
        return verdicts;
      });
    } catch (error) {
      if (error instanceof TrialOver) return error.verdicts;
      throw error;
    }
  }

  private refuse(line: number, reason = 'it is not valid'): void {
    this.refused += 1;
    if (this.reported.length < MAX_REPORTED) this.reported.push({ line, reason });
    this.run.terminal.say(`line ${line}: ${reason}`);
  }

  private counts(): string[] {
    return [`${this.stored} stored`, `${this.kept} there already`, `${this.refused} refused`];
  }

  private outcome(): Outcome {
    const { stored, kept, refused, reported } = this;
    const { isTrial } = this.run;
    return {
      exitCode: refused > 0 ? EXIT.someRowsRefused : EXIT.ok,
      report: { dryRun: isTrial, stored, kept, refused, refusedRows: reported },
      lines: [`${isTrial ? 'Dry run, nothing is written: ' : ''}${this.counts().join(', ')}`],
    };
  }
}
