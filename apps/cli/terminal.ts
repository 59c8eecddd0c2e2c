import { type FileHandle, open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed, WrongUse } from './outcome';

/**
 * Aborted by the first SIGINT or SIGTERM, for work that then ends at a point where it can continue later. The
 * second signal ends the process at once, and PostgreSQL rolls back the open transaction.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** The first line of a stream. Throws {@link WrongUse} if it is empty; `something` says what is missing. */
export async function readLine(stream: NodeJS.ReadableStream, something: string): Promise<string> {
  const lines = createInterface({ input: stream });
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
  }
  throw new WrongUse(`standard input is empty: it must contain ${something}`);
}

/** Creates a file that only its owner can read. Never replaces a file. */
export async function openNewFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailed(code === 'EEXIST' ? `${path} exists already` : `cannot write: ${message}`);
  }
}

/** Writes a complete new file or none. It opens the file before it asks for the content. */
export async function writeNewFile(
  file: string,
  content: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const handle = await openNewFile(file);
  try {
    await pipeline(Readable.from(content), handle.createWriteStream());
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** A time is shown to the minute, in UTC. */
export type Cell = string | number | Date;

const textOf = (cell: Cell): string =>
  cell instanceof Date ? cell.toISOString().slice(0, 16).replace('T', ' ') : printable(String(cell));

/** Lines with aligned cells. `limit` is the number of shown rows; a last line says that there are more. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  limit = { most: rows.length, more: (left: number) => `${left} more` },
): string[] {
  const shown = [head, ...rows.slice(0, limit.most)].map((row) => row.map(textOf));
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const lines = shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const left = rows.length - limit.most;
  return left > 0 ? [...lines, limit.more(left)] : lines;
}

/**
 * Customers choose names and texts, so control and direction characters must not
 * reach the operator's terminal.
 */
export const printable = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');

/** Replaces non-ASCII characters, in text that any client may send, such as user agents. */
export const inAscii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** Milliseconds between two updates of the progress bar. */
const REDRAW_INTERVAL = 200;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\x1b[2K';

/**
 * Writes messages to standard error, separate from results, and draws a progress bar if that is a terminal.
 */
export class Terminal {
  private bar = '';
  private drawnAt = 0;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** Writes a line above the progress bar. */
  say(line: string): void {
    if (this.bar === '') this.stream.write(`${line}\n`);
    else this.stream.write(`${CLEAR_LINE}${line}\n${this.bar}`);
  }

  /** A line for a person at a terminal. A file of the messages does not get it. */
  note(line: string): void {
    if (this.stream.isTTY) this.say(line);
  }

  /** @param share from 0 to 1 */
  progress(share: number, text: string): void {
    if (!this.stream.isTTY || Date.now() - this.drawnAt < REDRAW_INTERVAL) return;
    this.drawnAt = Date.now();
    const full = Math.round(Math.min(1, share) * BAR_WIDTH);
    const percent = `${Math.floor(Math.min(1, share) * 100)}%`.padStart(4);
    this.bar = `[${'='.repeat(full)}${' '.repeat(BAR_WIDTH - full)}]${percent}  ${text}`;
    this.stream.write(CLEAR_LINE + this.bar);
  }

  endProgress(): void {
    if (this.bar !== '') this.stream.write(CLEAR_LINE);
    this.bar = '';
  }
}
