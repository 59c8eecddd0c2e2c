import { WrongUse } from '../outcome';
import { cellRecords, type CellRecord } from './csv-cells';
import { isUtf8, NOT_UTF8, type SourceRecord } from './source-record';
import type { TextLine } from './text-lines';

/** The columns of an import. */
export interface Columns {
  readonly known: readonly string[];
  /** Each of these must be there, in one of its spellings. */
  readonly required: readonly (readonly string[])[];
  /** Whether columns that are not known are left out instead of refused. */
  readonly ignoreUnknown: boolean;
}

/** The records of csv lines, the first of which is a header. Throws {@link WrongUse} when the header does not fit. */
export async function* csvRecords(
  lines: AsyncGenerator<TextLine, void>,
  columns: Columns,
): AsyncGenerator<SourceRecord> {
  const first: IteratorResult<TextLine, void> = await lines.next();
  const separator = separatorOf(first.done === true ? undefined : first.value.text);
  let header: readonly string[] | undefined;
  for await (const record of cellRecords(startingWith(first, lines), separator)) {
    if (header === undefined) header = checkedHeader(record, columns);
    else yield named(record, header);
  }
  if (header === undefined) throw new WrongUse(`the file is empty: its first line must name the columns`);
}

async function* startingWith<Item>(
  first: IteratorResult<Item, void>,
  others: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  if (first.done !== true) yield first.value;
  yield* others;
}

/** Spreadsheets of countries with a decimal comma write semicolons. */
function separatorOf(firstLine = ''): string {
  return firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
}

function checkedHeader({ cells, error }: CellRecord, { known, required, ignoreUnknown }: Columns): string[] {
  if (error !== undefined) throw new WrongUse(`the header can not be read: ${error}`);
  const header = cells.map((cell) => cell.trim());
  const twice = header.find((name, position) => header.indexOf(name) !== position);
  if (twice !== undefined) throw new WrongUse(`the header names the column ${quoted(twice)} twice`);
  const unknown = header.filter((name) => !known.includes(name));
  if (unknown.length > 0 && !ignoreUnknown) {
    const names = unknown.map(quoted).join(', ');
    throw new WrongUse(
      `the header has columns that are not known: ${names}; known are ${known.join(', ')}, and --ignore-unknown leaves others out`,
    );
  }
  const missing = required.find((spellings) => !spellings.some((name) => header.includes(name)));
  if (missing !== undefined) throw new WrongUse(`the header lacks the column ${missing.join(' or ')}`);
  return header;
}

function named({ line, cells, error }: CellRecord, header: readonly string[]): SourceRecord {
  if (error !== undefined) return { line, error };
  if (cells.length !== header.length) {
    return { line, error: `it has ${cells.length} cells, but the header has ${header.length}` };
  }
  if (!cells.every(isUtf8)) return { line, error: NOT_UTF8 };
  return { line, values: Object.fromEntries(header.map((name, position) => [name, cells[position]])) };
}

const quoted = (text: string): string => JSON.stringify(text);
