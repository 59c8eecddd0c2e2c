import { CsvError, parse } from 'csv-parse/sync';
import { WrongUse } from '../outcome';
import {
  isUtf8,
  NOT_UTF8,
  REASON,
  RECORD_MAX_LENGTH,
  type SourceRecord,
  type TextLine,
  TOO_LONG,
} from './source-record';

/** The columns of an import. */
export interface Columns {
  readonly known: readonly string[];
  /** Each of these columns must exist, in one of its spellings. */
  readonly required: readonly (readonly string[])[];
  /** Whether to leave out unknown columns instead of refusing them. */
  readonly ignoreUnknown: boolean;
}

/**
 * The records of csv lines; the first line is the header. Throws {@link WrongUse} for a
 * header that does not match.
 */
export async function* csvRecords(
  lines: AsyncGenerator<TextLine, void>,
  columns: Columns,
): AsyncGenerator<SourceRecord> {
  const first: IteratorResult<TextLine, void> = await lines.next();
  const separator = separatorOf(first.done === true ? undefined : first.value.text);
  let header: readonly string[] | undefined;
  for await (const record of cellRecords(startingWith(first, lines), separator)) {
    if (header === undefined) header = checkedHeader(record, columns);
    else yield named(record, header, separator);
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

/** In countries with a decimal comma, spreadsheets write semicolons. */
function separatorOf(firstLine = ''): string {
  return firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
}

function checkedHeader({ cells, error }: CellRecord, { known, required, ignoreUnknown }: Columns): string[] {
  if (error !== undefined) throw new WrongUse(`the header cannot be read: ${error}`);
  const header = cells.map((cell) => cell.trim());
  const twice = header.find((name, position) => header.indexOf(name) !== position);
  if (twice !== undefined) throw new WrongUse(`the header names the column ${quoted(twice)} twice`);
  const unknown = header.filter((name) => !known.includes(name) && name !== REASON);
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

function named(record: CellRecord, header: readonly string[], separator: string): SourceRecord {
  const { line, error } = record;
  const reasonAt = header.indexOf(REASON);
  const withoutReason = (cells: readonly string[]) => cells.filter((_, position) => position !== reasonAt);
  const raw = { separator, header: withoutReason(header), cells: record.cells };
  if (error !== undefined) return { line, raw, error };
  const hasAll = record.cells.length === header.length;
  // Even a row with too many or too few cells ends with its former reason.
  const isReasonLast = reasonAt !== -1 && reasonAt === header.length - 1;
  const cells = hasAll ? withoutReason(record.cells) : record.cells.slice(0, isReasonLast ? -1 : undefined);
  const refusal = { line, raw: { ...raw, cells } };
  if (!hasAll) {
    const wanted = isReasonLast ? header.length - 1 : header.length;
    return { ...refusal, error: `it has ${cells.length} cells, but the header has ${wanted}` };
  }
  if (!cells.every(isUtf8)) return { ...refusal, error: NOT_UTF8 };
  const values = Object.fromEntries(raw.header.map((name, position) => [name, cells[position]]));
  return { ...refusal, values };
}

const quoted = (text: string): string => JSON.stringify(text);

/** A record of a csv file. */
export interface CellRecord {
  /** The line where the record begins. */
  readonly line: number;
  /** If the record is unreadable, its whole text in one cell. */
  readonly cells: readonly string[];
  readonly error?: string;
}

const NOT_CLOSED_SOON = `a quote is not closed within ${RECORD_MAX_LENGTH} characters`;

/**
 * The records of csv lines. Each record is parsed separately: a parser of the whole stream would end at the
 * first bad record, or take the next ones for a part of it. Empty lines are ignored.
 */
export async function* cellRecords(
  lines: AsyncIterable<TextLine>,
  separator: string,
): AsyncGenerator<CellRecord> {
  /** A record with a quote that is not closed yet. */
  let open: { readonly line: number; readonly text: string } | undefined;
  for await (const { number, text } of lines) {
    const line: number = open?.line ?? number;
    if (text === undefined || (open?.text.length ?? 0) + text.length > RECORD_MAX_LENGTH) {
      const error = open === undefined ? TOO_LONG : NOT_CLOSED_SOON;
      yield { line, cells: [open?.text ?? ''], error };
      // The quote is probably a mistake, so reading continues after this line.
      open = undefined;
      continue;
    }
    const whole: string = open === undefined ? text : `${open.text}\n${text}`;
    const record =
      open === undefined || text.includes('"')
        ? cellsOf(whole.replace(/\r$/, ''), { delimiter: separator })
        : 'open';
    open = record === 'open' ? { line, text: whole } : undefined;
    if (record !== 'open' && record !== 'empty') yield { line, cells: [whole], ...record };
  }
  if (open !== undefined)
    yield { line: open.line, cells: [open.text], error: 'a quote is opened and never closed' };
}

function cellsOf(text: string, options: Options): { cells: string[] } | { error: string } | 'open' | 'empty' {
  if (text === '') return 'empty';
  try {
    const [cells = []] = parse(text, { ...options, record_delimiter: '\n' });
    return { cells };
  } catch (error) {
    const code = error instanceof CsvError ? error.code : undefined;
    if (code === 'CSV_QUOTE_NOT_CLOSED') return 'open';
    if (code === 'CSV_INVALID_CLOSING_QUOTE') return { error: 'text follows a closing quote' };
    // A quote inside an unquoted cell is an ordinary character.
    if (code === 'INVALID_OPENING_QUOTE') return cellsOf(text, { ...options, relax_quotes: true });
    throw error;
  }
}

interface Options {
  readonly delimiter: string;
  readonly relax_quotes?: boolean;
}
