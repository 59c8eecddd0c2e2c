import { bytesOf, type Entry, type RecordedRequest } from './recorded';

type Fields = Readonly<Record<string, unknown>>;

/** A request of a HAR file, from `log.entries[].request`. */
export function harRequest(request: unknown, position: number): Entry {
  if (!isObject(request)) return { position, unreadable: 'an entry without a request, or with a huge one' };
  const headers = headersOf(request['headers']);
  const method = textOf(request['method']) ?? headers.get(':method');
  const url = textOf(request['url']) ?? headers.get(':path');
  if (method === undefined || url === undefined || !/^[a-z]+$/i.test(method))
    return { position, unreadable: 'an entry without method and url' };
  const target = bytesOf(withHost(withQuery(url, request['queryString']), headers));
  const { body, type } = contentOf(request['postData']);
  if (type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
  return { position, method: method.toUpperCase(), target, headers, ...(body !== undefined && { body }) };
}

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Those of HTTP/2 (`:authority`) too; they say what the URL may lack, and are sent nowhere. */
function headersOf(list: unknown): Map<string, string> {
  const headers = new Map<string, string>();
  for (const { name, value } of pairsOf(list)) {
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function pairsOf(list: unknown): { name: string; value: string }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (!isObject(item) || typeof item['name'] !== 'string') return [];
    const { name, value = '' } = item;
    return typeof value === 'string' || typeof value === 'number' ? [{ name, value: String(value) }] : [];
  });
}

/** Some programs write the query beside the URL only. */
function withQuery(url: string, queryString: unknown): string {
  const pairs = pairsOf(queryString);
  if (url.includes('?') || pairs.length === 0) return url;
  return `${url}?${new URLSearchParams(pairs.map(({ name, value }) => [name, value] as [string, string])).toString()}`;
}

/** A path alone belongs to the host of its headers. */
function withHost(url: string, headers: ReadonlyMap<string, string>): string {
  const host = headers.get(':authority') ?? headers.get('host');
  if (host === undefined || /^[a-z][a-z0-9+.-]*:/i.test(url)) return url;
  return `${headers.get(':scheme') ?? 'http'}://${host}${url.startsWith('/') ? '' : '/'}${url}`;
}

function contentOf(postData: unknown): Pick<RecordedRequest, 'body'> & { readonly type?: string } {
  if (!isObject(postData)) return {};
  const { text, encoding, params } = postData;
  const type = textOf(postData['mimeType']);
  if (typeof text === 'string' && text !== '')
    return { body: encoding === 'base64' ? Buffer.from(text, 'base64') : text, type };
  const pairs = pairsOf(params);
  if (pairs.length === 0) return { type };
  const fields = pairs.map(({ name, value }) => [name, value] as [string, string]);
  return { body: new URLSearchParams(fields).toString(), type };
}
