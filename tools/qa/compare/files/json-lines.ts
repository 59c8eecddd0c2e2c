import { linesOf } from './lines';
import { bytesOf, type Entry, type RecordedRequest } from './recorded';

/** Requests of JSON Lines: `{"method","path","headers","body","as"}`. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  let position = 0;
  for await (const line of linesOf(chunks)) {
    if (line !== undefined && line.trim() === '') continue;
    position += 1;
    yield line === undefined ? { position, unreadable: 'a line that is too long' } : entryOf(line, position);
  }
}

function entryOf(line: string, position: number): Entry {
  const value = parsed(line);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { position, unreadable: 'a line that is no JSON object' };
  const { method = 'GET', path, headers, body, as } = value as Readonly<Record<string, unknown>>;
  if (typeof method !== 'string' || !/^[a-z]+$/i.test(method) || typeof path !== 'string')
    return { position, unreadable: 'a line without method and path' };
  if (as !== undefined && as !== null && typeof as !== 'string')
    return { position, unreadable: 'a line whose "as" is no text' };
  return {
    position,
    method: method.toUpperCase(),
    target: bytesOf(path),
    headers: headersOf(headers),
    ...bodyOf(body),
    ...(typeof as === 'string' && as !== '' && { as }),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A text is sent as it is, everything else as JSON. */
function bodyOf(body: unknown): Pick<RecordedRequest, 'body'> {
  if (body === undefined || body === null) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function headersOf(headers: unknown): Map<string, string> {
  const found = new Map<string, string>();
  if (headers === null || typeof headers !== 'object') return found;
  for (const [name, value] of Object.entries(headers)) {
    const text: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof text === 'string' || typeof text === 'number') found.set(name.toLowerCase(), String(text));
  }
  return found;
}
