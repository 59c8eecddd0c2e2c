import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { accessLog } from './access-log';
import { har } from './har';
import { jsonLines } from './json-lines';
import { BrokenFile, type Entry } from './recorded';

export type Format = 'har' | 'jsonl' | 'log';

/** What `--format` may say of each. */
export const FORMATS: Readonly<Record<string, Format>> = {
  har: 'har',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  'json-lines': 'jsonl',
  log: 'log',
  'access-log': 'log',
  combined: 'log',
};

const READERS = { har, jsonl: jsonLines, log: accessLog } as const;

/** Bytes that show the form of a file. */
const PEEKED = 64 * 1024;

/** A file of recorded requests, which is read as it is sent. */
export class RequestFile {
  private stream: ReadStream | undefined;

  private constructor(
    private readonly path: string,
    readonly format: Format,
    readonly size: number,
    private readonly isPacked: boolean,
  ) {}

  /** Fails for a file that is empty or has no form that can be seen. */
  static async open(path: string, told?: Format): Promise<RequestFile> {
    const stats = statSync(path);
    if (!stats.isFile()) throw new BrokenFile('it is no file');
    const isPacked = (await startOf(chunksOf(createReadStream(path), false), GZIP.length)).equals(GZIP);
    const start = (await startOf(chunksOf(createReadStream(path), isPacked), PEEKED)).toString('utf8');
    if (start.trim() === '') throw new BrokenFile('it is empty');
    const format = told ?? formatOf(start);
    if (format === undefined) throw new BrokenFile('its form cannot be seen; --format says it');
    return new RequestFile(path, format, stats.size, isPacked);
  }

  /** How much of the file was read, for those who watch. */
  get bytesRead(): number {
    return this.stream?.bytesRead ?? 0;
  }

  async *entries(): AsyncGenerator<Entry> {
    this.stream = createReadStream(this.path);
    yield* READERS[this.format](withoutMark(chunksOf(this.stream, this.isPacked)));
  }
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Of a HAR file the first key is `log`; lines of JSON begin with an object each. */
function formatOf(start: string): Format | undefined {
  const text = start.replace(/^\ufeff/, '').trimStart();
  if (/^\{\s*"log"\s*:/.test(text)) return 'har';
  if (text.startsWith('{')) return 'jsonl';
  return /\[[^\]\n]*\] "/.test(text) ? 'log' : undefined;
}

async function* chunksOf(file: ReadStream, isPacked: boolean): AsyncGenerator<Buffer> {
  const source = isPacked ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => source.destroy(error));
  try {
    for await (const chunk of source) yield chunk as Buffer;
  } catch (error) {
    throw new BrokenFile((error as Error).message);
  } finally {
    file.destroy();
    source.destroy();
  }
}

async function startOf(chunks: AsyncIterable<Buffer>, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    size += chunk.length;
    if (size >= bytes) break;
  }
  return Buffer.concat(pieces).subarray(0, bytes);
}

const MARK = Buffer.from('\ufeff', 'utf8');

/** Some editors begin a file with a byte order mark. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const hasMark = isFirst && chunk.subarray(0, MARK.length).equals(MARK);
    yield hasMark ? chunk.subarray(MARK.length) : chunk;
    isFirst = false;
  }
}
