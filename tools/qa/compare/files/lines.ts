import { MOST_OF_REQUEST } from './recorded';

const NEWLINE = 10;

/** The lines of a file without their ends; nothing for a line that is too long to be held. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  encoding: 'utf8' | 'latin1' = 'utf8',
): AsyncGenerator<string | undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (): string | undefined => {
    const line = size > MOST_OF_REQUEST ? undefined : Buffer.concat(pieces).toString(encoding);
    pieces = [];
    size = 0;
    return line?.replace(/\r$/, '');
  };
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size <= MOST_OF_REQUEST) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
