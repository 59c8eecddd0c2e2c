/** A column that the file of refused rows adds. An import ignores it. */
export const REASON = 'reason';

/** A record as in the file, without the column `reason`. An unreadable record is one cell or text. */
export type RawRecord =
  | { readonly separator: string; readonly header: readonly string[]; readonly cells: readonly string[] }
  | { readonly json: Readonly<Record<string, unknown>> };

/** One record of a file: its fields by name, or the reason why it is unreadable. */
export type SourceRecord = {
  /** The line where the record begins, counted from 1. */
  readonly line: number;
  readonly raw: RawRecord;
} & ({ readonly values: Readonly<Record<string, unknown>> } | { readonly error: string });

/**
 * Maximum length of a record: a quote that is never closed must not take the rest of the file into memory.
 */
export const RECORD_MAX_LENGTH = 1_000_000;

export const TOO_LONG = `it is longer than ${RECORD_MAX_LENGTH} characters`;

/** The decoder's replacement for invalid UTF-8. */
const REPLACEMENT_CHARACTER = '\uFFFD';

export const NOT_UTF8 = 'it is not UTF-8';

export const isUtf8 = (text: string): boolean => !text.includes(REPLACEMENT_CHARACTER);

/** A line without its line end. It has no text if it is longer than a record may be. */
export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string | undefined;
}

/** The lines of text that arrives in chunks. A line that is too long is not kept in memory. */
export async function* textLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine, void> {
  let number = 1;
  let started = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const texts = (started + chunk).split('\n');
    started = texts.pop() ?? '';
    for (const text of texts) {
      yield { number, text: isTooLong || text.length > RECORD_MAX_LENGTH ? undefined : text };
      isTooLong = false;
      number += 1;
    }
    if (started.length > RECORD_MAX_LENGTH) {
      isTooLong = true;
      started = '';
    }
  }
  if (isTooLong) yield { number, text: undefined };
  else if (started !== '') yield { number, text: started };
}

/** The records of JSON lines: one object per line. Empty lines are ignored. */
export async function* jsonRecords(lines: AsyncIterable<TextLine>): AsyncGenerator<SourceRecord> {
  for await (const { number, text } of lines) {
    if (text === undefined) yield { line: number, ...unreadable(''), error: TOO_LONG };
    else if (text.trim() !== '') yield recordOf(number, text);
  }
}

const unreadable = (text: string) => ({ raw: { json: { unreadable: text } } });

function recordOf(line: number, text: string): SourceRecord {
  if (!isUtf8(text)) return { line, ...unreadable(text), error: NOT_UTF8 };
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== 'object' || found === null || Array.isArray(found))
      return { line, ...unreadable(text), error: 'it is not a JSON object' };
    const { [REASON]: _, ...values } = found as Record<string, unknown>;
    return { line, raw: { json: values }, values };
  } catch {
    return { line, ...unreadable(text), error: 'it is not JSON' };
  }
}
