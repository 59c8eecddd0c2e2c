import { composedValue } from '@app/platform/dto/composed-text';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import type { CommandRun } from '../database';
import { type Arrangement, reasonIn, type RowKind, type SourceValues } from '../imports/import-kind';
import { missingReferences } from '../imports/references';
import { CommandFailed } from '../outcome';
import { reasonOf } from '../refusal';
import type { HourlyPace } from './hourly-pace';
import type { RefusedRows } from './refused-rows';
import type { SourceFile } from './source-file';
import type { SourceRecord } from './source-record';

/** A row with the record that it comes from. */
export interface Numbered<Row> {
  readonly line: number;
  readonly record: SourceRecord;
  readonly row: Row;
}

/** One pass through a file. */
export interface FileRun extends CommandRun {
  readonly file: SourceFile;
  /** Whether to ignore unknown columns and fields instead of refusing them. */
  readonly ignoreUnknown: boolean;
  /** Stops the work after the current batch. */
  readonly signal: AbortSignal;
}

export interface ImportRun extends FileRun {
  readonly isTrial: boolean;
  /** Receives the refused rows, in the order of the file. */
  readonly refusedRows?: RefusedRows | undefined;
  /** Rows are stored one by one, in this pace. */
  readonly pace?: HourlyPace | undefined;
}

/** Rows of one transaction: few enough for short locks, and enough that commits do not dominate. */
const BATCH_SIZE = 500;

/** A batch of rows, and the share of the file before it. */
export interface RowBatch<Row> {
  readonly rows: readonly Numbered<Row>[];
  readonly share: number;
  /** All arranged rows. Only the first batch has them. */
  readonly all?: readonly Row[];
  /**
   * Every row up to this line is in this or an earlier batch, or was refused. Undefined for arranged rows.
   */
  readonly upTo?: number;
}

/** Reports a bad row. */
export type Refuse = (record: SourceRecord, reason: string) => void;

/** A row of bad form. */
interface BadRow {
  readonly line: number;
  readonly values: SourceValues;
  readonly record: SourceRecord;
  readonly error: ValidationFailed;
}

/**
 * The good rows of a file in batches. Rows that depend on each other come after the whole file has been read,
 * in the order of dependency. Bad rows are refused with all their errors, of format and of references.
 */
export async function* rowBatches<Row>(
  rows: RowKind<Row>,
  run: ImportRun,
  refuse: Refuse,
): AsyncGenerator<RowBatch<Row>> {
  const { manager } = run.dataSource;
  const [size, shareOfReading] = run.pace === undefined ? [BATCH_SIZE, 0.5] : [1, 0];
  const refuseBad = async (bad: readonly BadRow[], links: Arrangement['missing'] = []): Promise<void> => {
    const references = await missingReferences(
      manager,
      bad.map(({ values }) => rows.references(values)),
    );
    bad.forEach(({ record, error }, place) => {
      const missing = Object.entries({ ...links[place], ...references[place] });
      const others = missing.filter(([field]) => !Object.hasOwn(error.fields ?? {}, field));
      const reasons = [reasonOf(error) ?? error.message, reasonIn(Object.fromEntries(others))];
      refuse(record, reasons.filter(Boolean).join('; '));
    });
  };
  if (rows.arrange === undefined) {
    yield* batchesOfFile(rows, run, refuse, refuseBad);
    return;
  }
  const all: Numbered<Row>[] = [];
  const bad: BadRow[] = [];
  const collect = (some: readonly BadRow[]): Promise<void> => Promise.resolve(void bad.push(...some));
  for await (const { rows: batch, share } of batchesOfFile(rows, run, refuse, collect)) {
    all.push(...batch);
    run.terminal.progress(share * shareOfReading, `${all.length} read`);
    assertNotInterrupted(run.signal);
  }
  const allRows = all.map(({ row }) => row);
  const { order, refused, missing } = await rows.arrange(manager, { rows: all, bad });
  await refuseBad(bad, missing);
  for (const [place, reason] of refused) {
    const row = all[place];
    if (row !== undefined) refuse(row.record, reason);
  }
  for (let start = 0; start < order.length; start += size) {
    const places = order.slice(start, start + size);
    const batch = places.map((place) => all[place]).filter((row) => row !== undefined);
    const share = shareOfReading + (start / order.length) * (1 - shareOfReading);
    yield { rows: batch, share, ...(start === 0 && { all: allRows }) };
  }
}

export function assertNotInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new CommandFailed('interrupted: run the same command again to continue');
}

/**
 * The good rows of a file in batches, in the order of the file. `takeBad` gets the bad rows
 * before the next good ones.
 */
async function* batchesOfFile<Row>(
  rows: RowKind<Row>,
  run: FileRun,
  refuse: Refuse,
  takeBad: (bad: readonly BadRow[]) => Promise<void>,
): AsyncGenerator<RowBatch<Row>> {
  let batch: Numbered<Row>[] = [];
  let bad: BadRow[] = [];
  for await (const row of readRows(rows, run, refuse)) {
    if ('error' in row) bad.push(row);
    else batch.push(row);
    if (batch.length < BATCH_SIZE && bad.length < BATCH_SIZE) continue;
    await takeBad(bad);
    bad = [];
    if (batch.length < BATCH_SIZE) continue;
    yield { rows: batch, share: run.file.share, upTo: row.line };
    batch = [];
  }
  await takeBad(bad);
  if (batch.length > 0) yield { rows: batch, share: run.file.share };
}

/** Valid rows whose unique values are new in the file, and the bad rows. Refuses lines that are no rows. */
async function* readRows<Row>(
  rows: RowKind<Row>,
  { file, ignoreUnknown }: FileRun,
  refuse: Refuse,
): AsyncGenerator<Numbered<Row> | BadRow> {
  const lines = new Map<string, number>();
  for await (const record of file.records({ ...rows.fields, ignoreUnknown })) {
    const { line } = record;
    if ('error' in record) {
      refuse(record, record.error);
      continue;
    }
    // Here for every kind of file: not each of them is read by a shape, which would do it.
    const values = composedValue(record.values) as SourceValues;
    try {
      const row = await rows.read(values, !ignoreUnknown);
      assertUnique(rows.uniqueIn?.(row) ?? [], line, lines);
      yield { line, record, row };
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      yield { line, values, record, error };
    }
  }
}

function assertUnique(
  values: readonly (readonly [field: string, value: string])[],
  line: number,
  lines: Map<string, number>,
): void {
  const taken = values.flatMap(([field, value]) => {
    const earlier = lines.get(`${field} ${value}`);
    if (earlier === undefined) return [];
    const message = `This is already taken by a row above, on line ${earlier}.`;
    return [[field, [fieldError('ALREADY_TAKEN', message)]] as const];
  });
  if (taken.length > 0) throw new ValidationFailed(Object.fromEntries(taken));
  for (const [field, value] of values) lines.set(`${field} ${value}`, line);
}
