import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ReadingPace } from '../concurrency/reading-pace';

/** Target chunk size in characters; a piece of a cell may exceed it. */
const CHUNK_LENGTH = 16_384;

/** Items of a list that become text in one turn of the event loop: about two milliseconds of work. */
const ITEMS_IN_A_TURN = 1000;

type Rows = AsyncIterable<object> | Iterable<object>;

/**
 * Response objects as csv (RFC 4180, CRLF, a header row). The stream takes rows from its source when its
 * reader asks for them. If the stream ends early because a client disconnects, the source ends too.
 *
 * @param columns dotted paths into a row. A path through a list joins the values of all items with `;`, with
 * an empty text for an item without a value, so that `members.name` and `members.email` stay aligned.
 * @param pace of the reader
 */
export function csvStream(rows: Rows, columns: readonly string[], pace?: ReadingPace): Readable {
  const chunks = csvChunks(rows, columns);
  return Readable.from(pace?.measured(chunks) ?? chunks, { objectMode: false });
}

/**
 * Other requests get a turn of the event loop after each chunk, and within the cells of long lists: a reader
 * that is fast lets the stream go on without one.
 */
async function* csvChunks(rows: Rows, columns: readonly string[]): AsyncGenerator<string> {
  const paths = columns.map((column) => column.split('.'));
  let chunk = `${columns.map(quoted).join(',')}\r\n`;
  for await (const row of rows) {
    for (const [index, path] of paths.entries()) {
      if (index > 0) chunk += ',';
      const list = longListAt(row, path);
      const pieces = list === undefined ? [quoted(cellText(row, path))] : await longCell(list);
      for (const piece of pieces) {
        if (chunk.length >= CHUNK_LENGTH) {
          await setImmediate();
          yield chunk;
          chunk = '';
        }
        chunk += piece;
      }
    }
    chunk += '\r\n';
  }
  yield chunk;
}

const NEEDS_QUOTES = /[",\r\n]/;

/**
 * RFC 4180, section 2: quotes around a text with a separator, a quote or a line break;
 * inner quotes are doubled.
 */
const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${doubled(cell)}"` : cell);

const doubled = (text: string): string => text.replaceAll('"', '""');

/** A list with more items than one turn takes, and the path within its items. */
interface LongList {
  readonly items: readonly unknown[];
  readonly path: readonly string[];
}

/**
 * The long list that a path passes through, if any. A list within another one counts as
 * a part of that one's item.
 */
function longListAt(row: object, path: readonly string[]): LongList | undefined {
  let value: unknown = row;
  for (const [depth, field] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
    value = (value as Record<string, unknown>)[field];
    if (!Array.isArray(value)) continue;
    const below = path.slice(depth + 1);
    // A list of free-form objects is one JSON text.
    const isJson = below.length === 0 && value.some((item) => typeof item === 'object' && item !== null);
    return value.length > ITEMS_IN_A_TURN && !isJson ? { items: value, path: below } : undefined;
  }
  return undefined;
}

/** The cell of a long list, in pieces. One turn makes the text of one piece. */
async function longCell({ items, path }: LongList): Promise<string[]> {
  const pieces: string[] = [];
  for (let from = 0; from < items.length; from += ITEMS_IN_A_TURN) {
    const texts = items.slice(from, from + ITEMS_IN_A_TURN).map((item) => cellText(item, path));
    pieces.push(`${from === 0 ? '' : ';'}${texts.join(';')}`);
    await setImmediate();
  }
  return pieces.some((piece) => NEEDS_QUOTES.test(piece)) ? ['"', ...pieces.map(doubled), '"'] : pieces;
}

/**
 * The text of one cell, for the path from the part `depth` on. A free-form object, or a list of
 * such objects, becomes JSON.
 */
export function cellText(value: unknown, path: readonly string[], depth = 0): string {
  if (value === null || value === undefined) return '';
  const field = path[depth];
  if (Array.isArray(value)) {
    const areLeaves = field !== undefined || value.every((item) => typeof item !== 'object' || item === null);
    return areLeaves
      ? value.map((item) => cellText(item, path, depth)).join(';')
      : harmless(JSON.stringify(value));
  }
  if (typeof value === 'object') {
    if (field === undefined) return harmless(JSON.stringify(value));
    return Object.hasOwn(value, field)
      ? cellText((value as Record<string, unknown>)[field], path, depth + 1)
      : '';
  }
  if (field !== undefined) return '';
  // Numbers and booleans cannot carry a formula, and -5 must stay a number.
  return typeof value === 'string' ? harmless(value) : JSON.stringify(value);
}

/**
 * Beginnings that make a spreadsheet calculate (OWASP "CSV Injection"): = + - @ and their full-width forms,
 * also after blanks, and a leading tab or carriage return. They also count after `;` and a line break: with
 * Dutch and French settings `;` is the list separator, and a spreadsheet splits there even inside quotes.
 */
const FORMULA_START = /(?:^|(?<=[;\r\n]))(?=[^\S\r\n]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r])/gu;

/** Any of the characters above. Most texts have none, and this search is faster. */
const PERHAPS_FORMULA = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

const harmless = (text: string): string =>
  PERHAPS_FORMULA.test(text) ? text.replace(FORMULA_START, "'") : text;
