import { CsvError, parse } from 'csv-parse/sync';
import { RECORD_MAX_LENGTH, TOO_LONG } from './source-record';
import type { TextLine } from './text-lines';

/** A record of a csv file. */
export interface CellRecord {
  /** Where it begins. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly error?: string;
}

const NOT_CLOSED_SOON = `a quote is not closed within ${RECORD_MAX_LENGTH} characters`;

/**
 * The records of csv lines. Each record is parsed by itself: the parser of a whole stream ends at the first record that
 * is wrong, or takes those after it for a part of it. Empty lines count as nothing.
 */
export async function* cellRecords(
  lines: AsyncIterable<TextLine>,
  separator: string,
): AsyncGenerator<CellRecord> {
  /** A record with a quote that its lines so far do not close. */
  let open: { readonly line: number; readonly text: string } | undefined;
  for await (const { number, text } of lines) {
    const line: number = open?.line ?? number;
    if (text === undefined || (open?.text.length ?? 0) + text.length > RECORD_MAX_LENGTH) {
      yield { line, cells: [], error: open === undefined ? TOO_LONG : NOT_CLOSED_SOON };
      // The quote was hardly meant: reading goes on after the line where the patience ended.
      open = undefined;
      continue;
    }
    const whole: string = open === undefined ? text : `${open.text}\n${text}`;
    const record =
      open === undefined || text.includes('"')
        ? cellsOf(whole.replace(/\r$/, ''), { delimiter: separator })
        : 'open';
    open = record === 'open' ? { line, text: whole } : undefined;
    if (record !== 'open' && record !== 'empty') yield { line, cells: [], ...record };
  }
  if (open !== undefined) yield { line: open.line, cells: [], error: 'a quote is opened and never closed' };
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
    // A quote within a cell that begins without one is meant as it stands.
    if (code === 'INVALID_OPENING_QUOTE') return cellsOf(text, { ...options, relax_quotes: true });
    throw error;
  }
}

interface Options {
  readonly delimiter: string;
  readonly relax_quotes?: boolean;
}
