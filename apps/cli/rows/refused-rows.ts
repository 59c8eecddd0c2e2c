import { type FileHandle, rm } from 'node:fs/promises';
import { openNewFile } from '../terminal';
import { type RawRecord, REASON, type SourceRecord } from './source-record';

/** A bad row and the reason. */
export interface Refusal {
  readonly record: SourceRecord;
  readonly reason: string;
}

/**
 * The file of `--refused`: refused rows as in their file, with a column `reason`, so that they can be
 * corrected and imported. Only its owner can read it, because rows contain password hashes.
 */
export class RefusedRows {
  private isEmpty = true;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Never replaces an existing file. */
  static async create(path: string): Promise<RefusedRows> {
    return new RefusedRows(path, await openNewFile(path));
  }

  async add(refusals: readonly Refusal[]): Promise<void> {
    const lines = refusals.map(({ record, reason }) => rowOf(record.raw, reason));
    const [first] = refusals;
    if (first === undefined) return;
    if (this.isEmpty && 'header' in first.record.raw) lines.unshift(headerOf(first.record.raw));
    this.isEmpty = false;
    await this.file.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Removes the file if no row was refused. */
  async close(): Promise<void> {
    await this.file.close();
    if (this.isEmpty) await rm(this.path, { force: true });
  }
}

const headerOf = ({ header, separator }: Extract<RawRecord, { header: unknown }>): string =>
  [...header, REASON].map((cell) => quoted(cell, separator)).join(separator);

function rowOf(raw: RawRecord, reason: string): string {
  if ('json' in raw) return JSON.stringify({ ...raw.json, [REASON]: reason });
  const { cells, separator } = raw;
  return [...cells, reason].map((cell) => quoted(cell, separator)).join(separator);
}

/** Cells that csv would split are quoted. */
const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
