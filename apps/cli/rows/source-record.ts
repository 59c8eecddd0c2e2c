/** One record of a file: its fields by name, or the reason why it is unreadable. */
export type SourceRecord = {
  /** Where it begins, counted from 1 as editors do. */
  readonly line: number;
} & ({ readonly values: Readonly<Record<string, unknown>> } | { readonly error: string });

/** Most characters of one record: a quote that is never closed must not take the rest of the file into memory. */
export const RECORD_MAX_LENGTH = 1_000_000;

export const TOO_LONG = `it is longer than ${RECORD_MAX_LENGTH} characters`;

/** The decoder's replacement for invalid UTF-8. */
const REPLACEMENT_CHARACTER = '\uFFFD';

export const NOT_UTF8 = 'it is not UTF-8';

export const isUtf8 = (text: string): boolean => !text.includes(REPLACEMENT_CHARACTER);

/** A line without its end; without text if it is longer than a record may be. */
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

/** The records of JSON lines: one object a line, empty lines count as nothing. */
export async function* jsonRecords(lines: AsyncIterable<TextLine>): AsyncGenerator<SourceRecord> {
  for await (const { number, text } of lines) {
    if (text === undefined) yield { line: number, error: TOO_LONG };
    else if (text.trim() !== '') yield recordOf(number, text);
  }
}

function recordOf(line: number, text: string): SourceRecord {
  if (!isUtf8(text)) return { line, error: NOT_UTF8 };
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'object' && values !== null && !Array.isArray(values)
      ? { line, values: values as Record<string, unknown> }
      : { line, error: 'it is not a JSON object' };
  } catch {
    return { line, error: 'it is not JSON' };
  }
}
