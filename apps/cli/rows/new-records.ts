import type { EntityManager } from 'typeorm';
import type { CommandRun } from '../database';
import { lastOfSequence, moveSequence } from '../imports/identifiers';
import type { Amount, Finding, ImportKind, RowVerdict, RowWriter } from '../imports/import-kind';

/** Writes the rows without a stored record. A trial writes nothing, and draws no number of a sequence. */
export class NewRecordWriter<Row, NewRecord> implements RowWriter<Row> {
  private readonly amounts: Amounts;
  /** The sequence of identifiers has at least this value. */
  private reached: number | undefined;

  constructor(
    private readonly kind: ImportKind<Row, NewRecord>,
    private readonly isTrial: boolean,
  ) {
    this.amounts = new Amounts(isTrial);
  }

  /** Moves the sequence beyond the identifiers in the rows. */
  async prepare({ dataSource, ctx, transactions }: CommandRun, rows: readonly Row[]): Promise<void> {
    const { table } = this.kind;
    const largest = rows.reduce((most, row) => Math.max(most, this.kind.idOf?.(row) ?? 0), 0);
    if (largest === 0) return;
    this.reached ??= await lastOfSequence(dataSource.manager, table);
    if (largest <= this.reached) return;
    await transactions.run(ctx, (manager) => moveSequence(manager, table, largest));
    this.reached = largest;
  }

  async store(manager: EntityManager, rows: readonly Row[]): Promise<RowVerdict[]> {
    const findings = await this.kind.find(manager, rows);
    this.amounts.startBatch();
    const verdicts = findings.map((finding) => verdictOn(finding, this.amounts));
    const records = findings.flatMap((finding, place) =>
      'record' in finding && verdicts[place] === 'stored' ? [finding.record] : [],
    );
    if (!this.isTrial && records.length > 0) await this.kind.insert(manager, records);
    return verdicts;
  }
}

function verdictOn(finding: Finding<unknown>, amounts: Amounts): RowVerdict {
  if ('reason' in finding) return { error: finding.reason };
  if ('record' in finding) {
    const full = amounts.add(finding.amounts ?? []);
    return full === undefined ? 'stored' : { error: full.message };
  }
  return finding.differences.length === 0
    ? 'kept'
    : { error: `it is there already, with another ${finding.differences.join(', ')}` };
}

/** Counts rows of each owner, so that one row too many is refused and does not fail the transaction. */
class Amounts {
  private readonly added = new Map<string, number>();

  constructor(private readonly isTrial: boolean) {}

  /** The database counts the rows of earlier batches, except in a trial, which writes nothing. */
  startBatch(): void {
    if (!this.isTrial) this.added.clear();
  }

  /** Counts a row, unless one of its amounts is full: returns that one. */
  add(amounts: readonly Amount[]): Amount | undefined {
    const addedTo = ({ owner }: Amount) => this.added.get(owner) ?? 0;
    const full = amounts.find((amount) => amount.present + addedTo(amount) >= amount.most);
    if (full === undefined) for (const amount of amounts) this.added.set(amount.owner, addedTo(amount) + 1);
    return full;
  }
}
