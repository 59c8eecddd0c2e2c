import { isUtf8, NOT_UTF8, RECORD_MAX_LENGTH, type SourceRecord } from './source-record';

const TOO_LONG = `it is longer than ${RECORD_MAX_LENGTH} characters`;

/** The records of JSON lines: one object a line, empty lines count as nothing. */
export async function* jsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<SourceRecord> {
  let line = 1;
  let started = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const texts = (started + chunk).split('\n');
    started = texts.pop() ?? '';
    for (const text of texts) {
      if (isTooLong || text.length > RECORD_MAX_LENGTH) yield { line, fault: TOO_LONG };
      else if (text.trim() !== '') yield recordOf(line, text);
      isTooLong = false;
      line += 1;
    }
    if (started.length > RECORD_MAX_LENGTH) {
      isTooLong = true;
      started = '';
    }
  }
  if (isTooLong) yield { line, fault: TOO_LONG };
  else if (started.trim() !== '') yield recordOf(line, started);
}

function recordOf(line: number, text: string): SourceRecord {
  if (!isUtf8(text)) return { line, fault: NOT_UTF8 };
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'object' && values !== null && !Array.isArray(values)
      ? { line, values: values as Record<string, unknown> }
      : { line, fault: 'it is not a JSON object' };
  } catch {
    return { line, fault: 'it is not JSON' };
  }
}
