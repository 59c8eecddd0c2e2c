import { isUtf8, NOT_UTF8, TOO_LONG, type SourceRecord } from './source-record';
import type { TextLine } from './text-lines';

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
