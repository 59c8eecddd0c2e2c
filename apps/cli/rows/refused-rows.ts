import { type FileHandle, rm } from 'node:fs/promises';
import { openNewFile } from '../terminal';
import { type CameAs, REASON, type SourceRecord } from './source-record';

/** A bad row and why. */
export interface Refusal {
  readonly record: SourceRecord;
  readonly reason: string;
}

/**
 * The file of `--refused`: refused rows as they came with a column `reason`, so that they can be mended and imported.
 * Only its owner can read it, because rows hold password hashes.
 */
export class RefusedRows {
  private isEmpty = true;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Never replaces a file. */
  static async create(path: string): Promise<RefusedRows> {
    return new RefusedRows(path, await openNewFile(path));
  }

  async add(refusals: readonly Refusal[]): Promise<void> {
    const lines = refusals.map(({ record, reason }) => rowOf(record.cameAs, reason));
    const [first] = refusals;
    if (first === undefined) return;
    if (this.isEmpty && 'header' in first.record.cameAs) lines.unshift(headerOf(first.record.cameAs));
    this.isEmpty = false;
    await this.file.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Removes the file if no row was refused. */
  async close(): Promise<void> {
    await this.file.close();
    if (this.isEmpty) await rm(this.path, { force: true });
  }
}

const headerOf = ({ header, separator }: Extract<CameAs, { header: unknown }>): string =>
  [...header, REASON].map((cell) => quoted(cell, separator)).join(separator);

function rowOf(cameAs: CameAs, reason: string): string {
  if ('json' in cameAs) return JSON.stringify({ ...cameAs.json, [REASON]: reason });
  const { cells, separator } = cameAs;
  return [...cells, reason].map((cell) => quoted(cell, separator)).join(separator);
}

/** Text that a reader of csv would take apart gets quotes. */
const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
