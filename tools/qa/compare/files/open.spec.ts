import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Format, RequestFile } from './open';
import type { Entry, RecordedRequest } from './recorded';

const folder = mkdtempSync(join(tmpdir(), 'account-api-request-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function entriesOf(content: string | Buffer, format?: Format): Promise<Entry[]> {
  const path = join(folder, 'requests');
  writeFileSync(path, content);
  const entries: Entry[] = [];
  for await (const entry of (await RequestFile.open(path, format)).entries()) entries.push(entry);
  return entries;
}

/** Method, target and body of the requests; `–` for what is unreadable. */
const shown = (entries: readonly Entry[]): string[] =>
  entries.map((entry) =>
    'unreadable' in entry
      ? '–'
      : [entry.method, entry.target, entry.body?.toString()].filter(Boolean).join(' '),
  );

const first = (entries: readonly Entry[]): RecordedRequest => entries[0] as RecordedRequest;

const HAR_ENTRY = {
  request: {
    method: 'GET',
    url: 'https://old.example/v1/whoami',
    headers: [{ name: 'Authorization', value: 'x' }],
  },
  response: { content: { text: 'x'.repeat(100_000) }, request: { method: 'GET', url: '/wrong' } },
};
const harOf = (...entries: unknown[]): string =>
  JSON.stringify({
    log: { version: '1.2', pages: [{ request: { method: 'GET', url: '/page' } }], entries, comment: '' },
  });

describe('JSON Lines', () => {
  const LINES = [
    '{"method":"get","path":"/a?x=1","headers":{"X-A":"b","N":5},"as":"alice"}',
    '',
    '{"method":"POST","path":"/b","body":{"c":[1.5]}}',
    '{"method":"PUT","path":"/d","body":"{ raw }"}',
    'nonsense',
    '{"path":5}',
    '[]',
  ];

  it.each(['\n', '\r\n'])('are read with ends of lines %j, and without one at the end', async (end) => {
    const entries = await entriesOf(LINES.join(end));
    expect(shown(entries)).toEqual(['GET /a?x=1', 'POST /b {"c":[1.5]}', 'PUT /d { raw }', '–', '–', '–']);
    expect(first(entries)).toMatchObject({ as: 'alice', position: 1 });
    expect([...first(entries).headers]).toEqual([
      ['x-a', 'b'],
      ['n', '5'],
    ]);
  });

  it('are read packed, and with a byte order mark', async () => {
    expect(shown(await entriesOf(gzipSync(`\ufeff${LINES[0]}`)))).toEqual(['GET /a?x=1']);
  });

  it('may have lines across chunks, and some that are too long to be held', async () => {
    const long = JSON.stringify({ method: 'POST', path: '/long', body: 'é'.repeat(100_000) });
    const tooLong = `{"path":"/${'x'.repeat(17 * 1024 * 1024)}"}`;
    const entries = await entriesOf([long, tooLong, LINES[0]].join('\n'));
    expect(entries.map((entry) => 'unreadable' in entry)).toEqual([false, true, false]);
    expect(String(first(entries).body)).toHaveLength(100_000);
  });
});

describe('access logs', () => {
  it.each([
    [
      '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /v1/a?b=c HTTP/1.1" 200 12 "-" "curl/8"',
      'GET /v1/a?b=c',
    ],
    [
      '2001:db8::1 - anna [10/Oct/2026:13:55:36 +0000] "HEAD /v1/a HTTP/2.0" 200 - "https://x/" "a \\"b\\" c"',
      'HEAD /v1/a',
    ],
    [
      '1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET /a\\"b\\\\c\\x22 HTTP/1.1" 404 0 "-" "-"',
      'GET /a"b\\c"',
    ],
    ['host:80 1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET /x y HTTP/1.0" 200 5', 'GET /x y'],
    [
      '1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET https://old.example/v1/a HTTP/1.1" 200 5 "-" "-"',
      'GET https://old.example/v1/a',
    ],
    ['1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "POST /v1/login HTTP/1.1" 200 5 "-" "-"', 'POST /v1/login'],
    ['1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "-" 408 - "-" "-"', '–'],
    ['1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "\\x16\\x03\\x01" 400 - "-" "-"', '–'],
    ['1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET /unended', '–'],
    ['nothing of this kind', '–'],
  ])('have the line %s', async (line, request) => {
    expect(shown(await entriesOf(`${line}\r\n`, 'log'))).toEqual([request]);
  });

  it('name the user, and lack bodies', async () => {
    const line = '1.2.3.4 - anna [10/Oct/2026:13:55:36 +0000] "GET /v1/a HTTP/1.1" 200 12 "-" "curl/8"';
    expect(await entriesOf(line)).toMatchObject([{ perhapsAs: 'anna', lacksBody: true }]);
  });
});

describe('HAR files', () => {
  it('tell of the requests of their entries alone', async () => {
    const entries = await entriesOf(harOf(HAR_ENTRY, {}, { request: null }, HAR_ENTRY));
    expect(shown(entries)).toEqual([
      'GET https://old.example/v1/whoami',
      '–',
      '–',
      'GET https://old.example/v1/whoami',
    ]);
    expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(first(entries).headers.get('authorization')).toBe('x');
  });

  it.each([
    [{ url: '/v1/a', queryString: [{ name: 'b', value: 'c d' }] }, 'GET /v1/a?b=c+d'],
    [{ url: '/v1/a?b=c', queryString: [{ name: 'b', value: 'c' }] }, 'GET /v1/a?b=c'],
    [
      {
        url: '/v1/a',
        headers: [
          { name: ':authority', value: 'other.example' },
          { name: ':scheme', value: 'https' },
        ],
      },
      'GET https://other.example/v1/a',
    ],
    [
      { url: '/v1/a', headers: [{ name: 'Host', value: 'old.example:81' }] },
      'GET http://old.example:81/v1/a',
    ],
    [
      {
        method: undefined,
        url: undefined,
        headers: [
          { name: ':method', value: 'PUT' },
          { name: ':path', value: '/v1/b' },
        ],
      },
      'PUT /v1/b',
    ],
    [{ url: '/a', postData: { text: '{"x":"é"}' } }, 'GET /a {"x":"é"}'],
    [
      { url: '/a', postData: { text: Buffer.from('{"x":1}').toString('base64'), encoding: 'base64' } },
      'GET /a {"x":1}',
    ],
    [{ url: '/a', postData: { params: [{ name: 'b', value: 'c d' }] } }, 'GET /a b=c+d'],
    [{ url: '/a', headers: 'nonsense', postData: 5, queryString: {} }, 'GET /a'],
  ])('may write a request as %j', async (request, expected) => {
    expect(shown(await entriesOf(harOf({ request: { method: 'GET', ...request } })))).toEqual([expected]);
  });

  it('may be written on many lines, packed, and with a byte order mark', async () => {
    const text = `\ufeff${JSON.stringify(JSON.parse(harOf(HAR_ENTRY)), null, 2)}\r\n`;
    expect(await entriesOf(gzipSync(text))).toHaveLength(1);
  });

  it.each([
    ['break off', harOf(HAR_ENTRY).slice(0, 60_000), 'it breaks off, or is no JSON, after entry 1'],
    [
      'end in nonsense',
      harOf(HAR_ENTRY).replace(/\]\}\}?$/, '') + 'nonsense',
      'it breaks off, or is no JSON, after entry 1',
    ],
    ['have no entries', '{"log":{"version":"1.2"}}', 'no log.entries'],
  ])('fail where they %s', async (_, text, told) => {
    await expect(entriesOf(text, 'har')).rejects.toThrow(told);
  });

  it('may hold a request that is too large to be held', async () => {
    const huge = { request: { method: 'POST', url: '/a', postData: { text: 'x'.repeat(17 * 1024 * 1024) } } };
    expect(shown(await entriesOf(harOf(huge, HAR_ENTRY)))).toEqual([
      '–',
      'GET https://old.example/v1/whoami',
    ]);
  });
});

it.each([
  ['', 'it is empty'],
  [' \n\n', 'it is empty'],
  ['hello', 'its form cannot be seen'],
  [gzipSync('').subarray(0, 10), 'unexpected end of file'],
])('says what is wrong with a file of %j', async (content, told) => {
  await expect(entriesOf(content)).rejects.toThrow(told);
});
