import { linesOf } from './lines';
import { type Entry, textOfBytes } from './recorded';

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** Requests of an access log in the combined format of Apache, nginx and others, or in the common one. */
export async function* accessLog(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let position = 0;
  // A log holds the bytes of requests, whatever their encoding is.
  for await (const line of linesOf(chunks, 'latin1')) {
    if (line !== undefined && line.trim() === '') continue;
    position += 1;
    yield entryOf(line ?? '', position);
  }
}

/** The user, the moment and the request line; what stands before them is a host and an identity, or more. */
const LINE = /(?:^|\s)(\S+) \[[^\]]*\] "((?:[^"\\]|\\.)*)"/;

function entryOf(line: string, position: number): Entry {
  const [, user = '-', quoted] = LINE.exec(line) ?? [];
  if (quoted === undefined) return { position, unreadable: 'a line that is not of the combined format' };
  const [, method, target] = /^([A-Za-z]+) (\S(?:.*\S)?)$/.exec(withoutVersion(quoted.trim())) ?? [];
  if (method === undefined || target === undefined)
    return { position, unreadable: 'a line without a request, as a connection leaves that sends none' };
  return {
    position,
    method: method.toUpperCase(),
    target: unescaped(target),
    headers: NO_HEADERS,
    lacksBody: true,
    ...(user !== '-' && { perhapsAs: textOfBytes(unescaped(user)) }),
  };
}

const withoutVersion = (requestLine: string): string => requestLine.replace(/ HTTP\/\d(?:\.\d)?$/i, '');

/** Servers write `\x22` or `\"` for what would end the quotes, and `\xC3` for bytes beyond ASCII. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/gi, (_, digits: string | undefined, character = '') =>
    digits === undefined ? String(character) : String.fromCharCode(parseInt(digits, 16)),
  );
