import { WrongUse } from '../outcome';
import { CsvCells, type CellRecord } from './csv-cells';
import { isUtf8, NOT_UTF8, type SourceRecord } from './source-record';

/** The columns of an import. */
export interface Columns {
  readonly known: readonly string[];
  /** Each of these must be there, in one of its spellings. */
  readonly required: readonly (readonly string[])[];
  /** Whether columns that are not known are left out instead of refused. */
  readonly ignoreUnknown: boolean;
}

/** The records of csv text with a header. Throws {@link WrongUse} when the header does not fit. */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  columns: Columns,
): AsyncGenerator<SourceRecord> {
  let reader: CsvCells | undefined;
  let header: readonly string[] | undefined;
  const read = function* (records: readonly CellRecord[]): Generator<SourceRecord> {
    for (const record of records) {
      if (header === undefined) header = checkedHeader(record, columns);
      else yield named(record, header);
    }
  };
  for await (const chunk of chunks) {
    reader ??= new CsvCells(separatorOf(chunk));
    yield* read(reader.push(chunk));
  }
  yield* read(reader?.end() ?? []);
  if (header === undefined) throw new WrongUse(`the file is empty: its first line must name the columns`);
}

/** Spreadsheets of countries with a decimal comma write semicolons. */
function separatorOf(text: string): string {
  const [firstLine = ''] = text.split('\n', 1);
  return firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
}

function checkedHeader({ cells }: CellRecord, { known, required, ignoreUnknown }: Columns): string[] {
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

function named({ line, cells, fault }: CellRecord, header: readonly string[]): SourceRecord {
  if (fault !== undefined) return { line, fault };
  if (cells.length !== header.length) {
    return { line, fault: `it has ${cells.length} cells, but the header has ${header.length}` };
  }
  if (!cells.every(isUtf8)) return { line, fault: NOT_UTF8 };
  return { line, values: Object.fromEntries(header.map((name, position) => [name, cells[position]])) };
}

const quoted = (text: string): string => JSON.stringify(text);
