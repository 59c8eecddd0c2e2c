import type { EntityManager } from 'typeorm';
import {
  type Amount,
  type Finding,
  type ImportKind,
  lastOfSequence,
  moveSequence,
} from '../imports/import-kind';
import type { Database } from '../database';
import type { RowImport, RowVerdict } from './row-import';

/**
 * The import of a kind of record: rows of which nothing is there are written, those that are there already are done.
 * A trial looks up the same and writes nothing, not even a number of a sequence.
 */
export function importOfNewRecords<Row, NewRecord>(
  kind: ImportKind<Row, NewRecord>,
  isTrial: boolean,
): RowImport<Row> {
  const amounts = new Amounts(isTrial);
  const sequence = new KeptIds(kind);
  return {
    fields: kind.fields,
    read: (values, strict) => kind.read(values, strict),
    uniqueIn: (row) => kind.uniqueIn(row),
    ...(kind.arrange !== undefined && { arrange: kind.arrange.bind(kind) }),
    ...(kind.missing !== undefined && { missing: kind.missing.bind(kind) }),
    prepare: (database, rows) => sequence.makeRoom(database, rows),
    find: (manager, rows) => kind.find(manager, rows),
    async store(manager, rows) {
      const findings = await kind.find(manager, rows);
      amounts.startBatch();
      const verdicts = findings.map((finding) => verdictOn(kind, finding, amounts));
      const records = newRecords(findings, verdicts);
      if (!isTrial && records.length > 0) await kind.insert(manager, records);
      return verdicts;
    },
  };
}

function verdictOn<NewRecord>(
  { whenDifferent }: Pick<ImportKind<unknown, NewRecord>, 'whenDifferent'>,
  finding: Finding<NewRecord>,
  amounts: Amounts,
): RowVerdict {
  switch (finding.kind) {
    case 'refused':
      return { error: finding.reason };
    case 'absent':
      return amounts.admits(finding.amount) ? 'stored' : { error: finding.amount?.message ?? '' };
    case 'present':
      return whenDifferent === 'keep' || finding.differences.length === 0
        ? 'kept'
        : { error: `it is there already, with another ${finding.differences.join(', ')}` };
  }
}

const newRecords = <NewRecord>(
  findings: readonly Finding<NewRecord>[],
  verdicts: readonly RowVerdict[],
): NewRecord[] =>
  findings.flatMap((finding, position) =>
    finding.kind === 'absent' && verdicts[position] === 'stored' ? [finding.record] : [],
  );

/** Counts rows of each owner, so that one too many is refused and does not break the transaction. */
class Amounts {
  private readonly added = new Map<string, number>();

  constructor(private readonly isTrial: boolean) {}

  /** The database counts the rows of earlier batches, except in a trial, which writes nothing. */
  startBatch(): void {
    if (!this.isTrial) this.added.clear();
  }

  admits(amount: Amount | undefined): boolean {
    if (amount === undefined) return true;
    const added = this.added.get(amount.owner) ?? 0;
    if (amount.present + added >= amount.most) return false;
    this.added.set(amount.owner, added + 1);
    return true;
  }
}

/** Advances a sequence before an import writes records with their own identifiers. */
class KeptIds<Row> {
  /** The sequence is at least here. */
  private reached: number | undefined;

  constructor(private readonly kind: Pick<ImportKind<Row, unknown>, 'table' | 'idOf'>) {}

  async makeRoom({ dataSource, ctx, transactions }: Database, rows: readonly Row[]): Promise<void> {
    const { table, idOf } = this.kind;
    if (idOf === undefined) return;
    const largest = rows.reduce((most, row) => Math.max(most, idOf(row) ?? 0), 0);
    if (largest === 0) return;
    this.reached ??= await lastOfSequence(dataSource.manager, table);
    if (largest <= this.reached) return;
    await transactions.run(ctx, (manager: EntityManager) => moveSequence(manager, table, largest));
    this.reached = largest;
  }
}
