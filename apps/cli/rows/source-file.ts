import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { WrongUse } from '../outcome';
import { type Columns, csvRecords } from './csv-records';
import { jsonRecords, type SourceRecord, textLines } from './source-record';

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

const FORMAT_OF_EXTENSION: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'jsonl',
};

/** A file of rows, read as a stream. */
export class SourceFile {
  private stream: ReadStream | undefined;

  private constructor(
    private readonly path: string,
    private readonly format: Format,
    private readonly size: number,
  ) {}

  /** Throws {@link WrongUse} for an unreadable file or an unknown format. */
  static async open(path: string, chosenFormat?: Format): Promise<SourceFile> {
    const stats = await stat(path).catch((error: unknown) => {
      throw new WrongUse(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`);
    });
    if (!stats.isFile()) throw new WrongUse(`cannot read ${path}: it is not a file`);
    const format = chosenFormat ?? FORMAT_OF_EXTENSION[extname(path).toLowerCase()];
    if (format === undefined) {
      throw new WrongUse(`cannot tell the format of ${path} by its name: add --format csv or --format jsonl`);
    }
    return new SourceFile(path, format, stats.size);
  }

  async *records(columns: Columns): AsyncGenerator<SourceRecord> {
    this.stream = createReadStream(this.path);
    const lines = textLines(textOf(this.stream, this.path));
    yield* this.format === 'csv' ? csvRecords(lines, columns) : jsonRecords(lines);
  }

  /** The share that has been read, from 0 to 1. */
  get share(): number {
    return this.size === 0 ? 1 : (this.stream?.bytesRead ?? 0) / this.size;
  }
}

/** The text of a file; the decoder drops the byte order mark. */
async function* textOf(stream: ReadStream, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const bytes of stream) yield decoder.decode(bytes as Buffer, { stream: true });
  } catch (error) {
    throw new WrongUse(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
  yield decoder.decode();
}
