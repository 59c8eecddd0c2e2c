import { Readable } from 'node:stream';

/** Target chunk size in characters; a long cell may exceed it. */
const CHUNK_LENGTH = 16_384;

type Rows = AsyncIterable<object> | Iterable<object>;

/**
 * Response objects as csv (RFC 4180, CRLF, a header row). The stream takes rows from its source when its reader asks for them.
 * If the stream ends early because a client disconnects, the source ends too.
 *
 * @param columns dotted paths into a row. A path through a list joins the values of all items with `;`, with an empty text for
 * an item without a value, so that `members.name` and `members.email` stay aligned.
 */
export const csvStream = (rows: Rows, columns: readonly string[]): Readable =>
  Readable.from(csvChunks(rows, columns), { objectMode: false });

async function* csvChunks(rows: Rows, columns: readonly string[]): AsyncGenerator<string> {
  const paths = columns.map((column) => column.split('.'));
  let chunk = `${columns.map(quoted).join(',')}\r\n`;
  for await (const row of rows) {
    for (const [index, path] of paths.entries()) {
      if (chunk.length >= CHUNK_LENGTH) {
        yield chunk;
        chunk = '';
      }
      chunk += `${index === 0 ? '' : ','}${quoted(cellText(row, path))}`;
    }
    chunk += '\r\n';
  }
  yield chunk;
}

/** RFC 4180, section 2: quotes around a text with a separator, a quote or a line break; inner quotes are doubled. */
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The text of one cell, for the path from the part `depth` on. A free-form object, or a list of such objects, becomes JSON. */
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
 * Beginnings that make a spreadsheet calculate (OWASP "CSV Injection"): = + - @ and their full-width forms, also after blanks,
 * and a leading tab or carriage return. They also count after `;` and a line break: with Dutch and French settings `;` is the
 * list separator, and a spreadsheet splits there even inside quotes.
 */
const FORMULA_START = /(?:^|(?<=[;\r\n]))(?=[^\S\r\n]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r])/gu;

/** Any of the characters above. Most texts have none, and this search is faster. */
const PERHAPS_FORMULA = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

const harmless = (text: string): string =>
  PERHAPS_FORMULA.test(text) ? text.replace(FORMULA_START, "'") : text;
