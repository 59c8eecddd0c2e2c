import { Readable } from 'node:stream';
import { LongList, longListsIn, longListsMade } from '../lists/long-list';

/** Rows turned into text at once: few enough to stay small in memory, many enough to be quick. */
const ROWS_PER_CHUNK = 100;

/**
 * Response objects as csv (RFC 4180, CRLF, a header row) that takes no more rows from its source than the
 * reader of the stream asks for. Ending the stream early, as a client that hangs up does, also ends the source.
 *
 * @param columns dotted paths into a row, from csvColumnsOf or given by hand. A path through a list is
 * followed in each item and the results are joined with `;`, an item without a value as an empty one, so that
 * `preferences.name` and `preferences.value` stay in step.
 */
export function csvStream(
  rows: AsyncIterable<object> | Iterable<object>,
  columns: readonly string[],
): Readable {
  return Readable.from(csvChunks(rows, columns), { objectMode: false });
}

async function* csvChunks(
  rows: AsyncIterable<object> | Iterable<object>,
  columns: readonly string[],
): AsyncGenerator<string> {
  const paths = columns.map((column) => column.split('.'));
  yield csvLines([columns]);
  let waiting: string[][] = [];
  for await (const row of rows) {
    if (hasLongCells(row)) {
      if (waiting.length > 0) yield csvLines(waiting);
      waiting = [];
      yield* longLine(row, paths);
      continue;
    }
    waiting.push(paths.map((path) => cellText(row, path)));
    if (waiting.length === ROWS_PER_CHUNK) {
      yield csvLines(waiting);
      waiting = [];
    }
  }
  if (waiting.length > 0) yield csvLines(waiting);
}

/** Whether the row has a cell that is to be written bit by bit. Nearly no process ever makes such a row. */
const hasLongCells = (row: object): boolean => longListsMade() > 0 && longListsIn(row).length > 0;

/** One row whose long cells are read once for each of their columns: no more than a batch is held. */
async function* longLine(row: object, paths: readonly (readonly string[])[]): AsyncGenerator<string> {
  for (const [index, path] of paths.entries()) {
    yield index === 0 ? '"' : ',"';
    for await (const part of cellParts(row, path, 0)) yield part.replaceAll('"', '""');
    yield '"';
  }
  yield '\r\n';
}

/** The text of {@link cellText}, in parts. */
async function* cellParts(value: unknown, path: readonly string[], depth: number): AsyncGenerator<string> {
  if (longListsIn(value).length === 0) {
    yield cellText(value, path, depth);
    return;
  }
  if (!Array.isArray(value)) {
    yield* cellParts((value as Record<string, unknown>)[path[depth] ?? ''], path, depth + 1);
    return;
  }
  const batches = value instanceof LongList ? value.batches() : [value as unknown[]];
  let separator = '';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    // Where the items hold no long lists in turn, all at once.
    const parts = longListsIn(batch).length === 0 ? [batch] : batch;
    for (const part of parts) {
      yield separator;
      yield* cellParts(part, path, depth);
      separator = ';';
    }
  }
}

function csvLines(records: readonly (readonly string[])[]): string {
  return records.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** RFC 4180, section 2: quotes around what holds a separator, a quote or a line break, quotes within doubled. */
function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * The text of one cell, from the field `depth` of the path downwards; a path that ends at a free-form object, or
 * a list of such, gives its JSON.
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
 * The beginnings that make a spreadsheet calculate (OWASP "CSV Injection"): = + - @, their full-width forms,
 * with blanks before them, and a leading tab or carriage return. After `;` and a line break too: where the
 * list separator is `;`, as in Dutch and French settings, a spreadsheet splits there whatever is quoted.
 */
const FORMULA_START = /(?:^|(?<=[;\r\n]))(?=[^\S\r\n]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r])/gu;

/** Any of the characters above: most texts have none, and looking for one is quicker than for a beginning. */
const PERHAPS_FORMULA = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

function harmless(text: string): string {
  return PERHAPS_FORMULA.test(text) ? text.replace(FORMULA_START, "'") : text;
}
