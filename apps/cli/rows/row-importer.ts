import type { RowKind, RowVerdict, RowWriter } from '../imports/import-kind';
import { EXIT, type Outcome } from '../outcome';
import { reasonOf } from '../refusal';
import { NamedRows } from './named-rows';
import { paceOf } from './pace';
import type { Refusal } from './refused-rows';
import { assertNotInterrupted, type ImportRun, type Numbered, type RowBatch, rowBatches } from './row-import';
import { rowLabel } from './row-label';
import type { SourceRecord } from './source-record';

/** Rolls back the transaction of a trial. */
class TrialOver extends Error {
  constructor(readonly verdicts: RowVerdict[]) {
    super('rolled back');
  }
}

/**
 * Imports the rows of a file in batches, each in one transaction. A bad row is reported with its line and
 * reason and does not affect the others. While PostgreSQL writes a batch, the next one is read. Bad rows are
 * reported in the order of the file, once all rows before them are stored or refused.
 */
export class RowImporter<Row> {
  private stored = 0;
  private kept = 0;
  private refused = 0;
  private readonly startedAt = performance.now();
  private readonly refusals: NamedRows<Refusal>;

  constructor(
    private readonly kind: RowKind<Row>,
    private readonly writer: RowWriter<Row>,
    private readonly run: ImportRun,
  ) {
    this.refusals = new NamedRows(
      run.terminal,
      ({ record, reason }) => `${rowLabel(kind.fields, record, reason)}: ${reason}`,
    );
  }

  async import(): Promise<Outcome> {
    const { terminal, signal } = this.run;
    let writing = Promise.resolve();
    try {
      for await (const batch of rowBatches(this.kind, this.run, (record, reason) =>
        this.refuse(record, reason),
      )) {
        await writing;
        assertNotInterrupted(signal);
        terminal.progress(batch.share, this.counts().join(', ') + this.pace(batch.share));
        writing = this.writeBatch(batch);
        // Awaited before the next batch. Until then a failure must not end the process.
        writing.catch(() => undefined);
      }
      await writing;
      await this.reportRefused();
    } catch (error) {
      await writing.catch(() => undefined);
      await this.reportRefused().catch(() => undefined);
      terminal.endProgress();
      terminal.say(`So far: ${this.counts().join(', ')}`);
      throw error;
    }
    terminal.endProgress();
    return this.outcome();
  }

  private async writeBatch({ rows, all, upTo }: RowBatch<Row>): Promise<void> {
    const { isTrial, pace, signal } = this.run;
    await pace?.turn(signal);
    assertNotInterrupted(signal);
    if (!isTrial) await this.writer.prepare?.(this.run, all ?? rows.map(({ row }) => row));
    const before = this.stored;
    await this.storeBatch(rows);
    if (this.stored > before) pace?.used();
    if (upTo !== undefined) await this.reportRefused(upTo);
  }

  private async storeBatch(batch: readonly Numbered<Row>[]): Promise<void> {
    let verdicts: RowVerdict[];
    try {
      verdicts = await this.transact(batch.map(({ row }) => row));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      // One row failed the transaction. Bisection finds it, so that only this row is lost.
      if (batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        await this.storeBatch(batch.slice(0, middle));
        await this.storeBatch(batch.slice(middle));
        return;
      }
      verdicts = [{ error: reason }];
    }
    verdicts.forEach((verdict, position) => {
      const row = batch[position];
      if (verdict === 'stored') {
        this.stored += 1;
        if (row !== undefined) this.sayInTrial(row.record);
      } else if (verdict === 'kept') this.kept += 1;
      else if (row !== undefined) this.refuse(row.record, verdict.error);
    });
  }

  private async transact(rows: readonly Row[]): Promise<RowVerdict[]> {
    const { transactions, ctx, isTrial } = this.run;
    try {
      return await transactions.run(
        ctx,
        async (manager) => {
          const verdicts = await this.writer.store(manager, rows);
          if (isTrial) throw new TrialOver(verdicts);
          return verdicts;
        },
        { isLong: true },
      );
    } catch (error) {
      if (error instanceof TrialOver) return error.verdicts;
      throw error;
    }
  }

  private sayInTrial(record: SourceRecord): void {
    const { inTrial, fields } = this.kind;
    if (!this.run.isTrial || inTrial === undefined) return;
    this.run.terminal.say(`${rowLabel(fields, record, '')}: ${inTrial}`);
  }

  private refuse(record: SourceRecord, reason: string): void {
    this.refused += 1;
    this.refusals.add({ record, reason });
  }

  private async reportRefused(upTo?: number): Promise<void> {
    const named = this.refusals.name(upTo);
    await this.run.refusedRows?.add(named);
  }

  private counts(): string[] {
    const would = this.run.isTrial ? 'would be ' : '';
    return [`${this.stored} ${would}stored`, `${this.kept} there already`, `${this.refused} ${would}refused`];
  }

  private pace(share: number): string {
    const seconds = (performance.now() - this.startedAt) / 1000;
    return paceOf({ rows: this.stored + this.kept + this.refused, share, seconds });
  }

  private outcome(): Outcome {
    const { stored, kept, refused } = this;
    const { isTrial } = this.run;
    const refusedRows = this.refusals.reported.map(({ record: { line }, reason }) => ({ line, reason }));
    return {
      exitCode: refused > 0 ? EXIT.someRowsRefused : EXIT.ok,
      report: { dryRun: isTrial, stored, kept, refused, refusedRows },
      lines: [`${isTrial ? 'Dry run, nothing is written: ' : ''}${this.counts().join(', ')}`],
    };
  }
}
