import { RECORD_MAX_LENGTH } from './source-record';

/** A line of text without its end; without its text where that is longer than a record may be. */
export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string | undefined;
}

/** The lines of text that comes in pieces. A line that is too long does not get into memory. */
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
