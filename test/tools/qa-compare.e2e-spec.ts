import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { CompareReport } from '../../tools/qa/compare/report';
import { freePort } from '../support/faults/free-port';
import { urlOf } from '../support/faults/proxy';
import { type Fault, OldPanel, PANEL_KEY, PANEL_USER } from '../support/old-panel/old-panel';
import { PLANTED } from '../support/old-panel/planted';
import { READS } from '../support/old-panel/records';
import { useFiles } from '../support/service/files';
import { qa } from '../support/service/qa';

const files = useFiles();

const lines = (requests: readonly (object | string)[]): string =>
  requests.map((one) => `${JSON.stringify(one)}\n`).join('');

/** A file that only its owner reads, as the command asks for. */
function write(name: string, content: string | Buffer): string {
  const path = files.write(name, content);
  chmodSync(path, 0o600);
  return path;
}

/** Every read of the panel and every planted difference, three times each. */
const EVERYTHING = [
  ...Object.keys(READS).map((path) => ({ method: 'GET', path, as: 'key' })),
  ...PLANTED.map(({ method, path, as }) => ({ method, path, ...(as === undefined && { as: 'key' }) })),
].flatMap((request) => [request, request, request]);

const KEY = { key: { old: PANEL_KEY, new: PANEL_KEY } };
const credentials = write('credentials.json', JSON.stringify(KEY));

const READ = { method: 'GET', path: '/organisations/5/users/51', as: 'key' };

let panels: { stop(): Promise<void> }[] = [];
let old: OldPanel;
let fresh: OldPanel;

async function start(...args: ConstructorParameters<typeof OldPanel>): Promise<OldPanel> {
  const panel = await new OldPanel(...args).start();
  panels.push(panel);
  return panel;
}

/** A server of another kind, in front of nothing. */
async function startServer(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  panels.push({
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return urlOf(server);
}

beforeEach(async () => {
  old = await start();
  fresh = await start();
});

afterEach(async () => {
  for (const panel of panels.splice(0)) await panel.stop();
  panels = [];
});

interface Sent {
  readonly requests: readonly (object | string)[] | string | Buffer;
  readonly args?: readonly string[];
  readonly meanwhile?: (child: ChildProcess) => void;
  readonly environment?: Readonly<Record<string, string>>;
  readonly sides?: readonly [old: string, fresh: string];
}

let runs = 0;
let requestsFile: string;

/** Compares the two panels with requests of a file. */
async function compare({ requests, args = [], meanwhile, environment, sides = [old.url, fresh.url] }: Sent) {
  const isContent = typeof requests === 'string' || Buffer.isBuffer(requests);
  runs += 1;
  requestsFile = write(`requests-${runs}`, isContent ? requests : lines(requests));
  return compareAgain(args, { meanwhile, environment, sides });
}

/** Compares with the same file. */
async function compareAgain(
  args: readonly string[],
  { meanwhile, environment, sides = [old.url, fresh.url] }: Omit<Sent, 'requests'> = {},
) {
  const [oldUrl, newUrl] = sides;
  const addresses = ['compare', '--old', oldUrl, '--new', newUrl, '--requests', requestsFile];
  const options = [...addresses, '--credentials', credentials, '--rate', '1000', '--json', ...args];
  const { status, output, errors } = await qa(options, meanwhile, environment);
  const report = output.startsWith('{') ? (JSON.parse(output) as CompareReport) : undefined;
  const found = report?.differences.map(({ operation, kind, at }) => `${operation} ${kind} ${at}`);
  return { status, output, errors, report, total: report?.total, found };
}

const calls = (panel: OldPanel): string[] => panel.requests.map(({ method, url }) => `${method} ${url}`);

const operation = 'GET /organisations/{organisationId}/users/{userId}';

describe('npm run qa -- compare with a panel that is not ours', () => {
  it('finds the thirty planted differences, each by its operation and place, and nothing else', async () => {
    fresh = await start(PLANTED);
    const { status, found } = await compare({ requests: EVERYTHING, args: ['--slower-than', '8'] });
    const expected = PLANTED.map(({ found: { operation, kind, at } }) => `${operation} ${kind} ${at}`);
    expect(PLANTED).toHaveLength(30);
    expect(found?.toSorted()).toEqual(expected.toSorted());
    expect(status).toBe(1);
  });

  it('finds nothing between two panels that are the same', async () => {
    const { status, found, total } = await compare({ requests: EVERYTHING });
    expect({ status, found }).toEqual({ status: 0, found: [] });
    expect(total).toMatchObject({ sent: EVERYTHING.length, different: 0, skipped: 0 });
  });
});

describe('the report of qa compare', () => {
  const plant = async (change: Fault['change']) => {
    fresh = await start([{ method: 'GET', path: READ.path, change }]);
  };

  it('--json has the keys that scripts read', async () => {
    await plant((answer) => void (answer.text = answer.text.replace('"id":51', '"id":"51"')));
    const { report } = await compare({ requests: [READ, READ, { method: 'POST', path: '/login' }] });
    const counts = { sent: 2, equal: 0, noise: 0, different: 2, skipped: 0 };
    const times = { p50: expect.any(Number), p95: expect.any(Number) };
    const path = '/organisations/{organisationId}/users/{userId}';
    expect(report).toEqual({
      old: old.url,
      new: fresh.url,
      total: { ...counts, skipped: 1 },
      operations: [
        expect.objectContaining({
          operation: 'POST /login',
          sent: 0,
          skipped: 1,
          oldMs: { p50: null, p95: null },
        }),
        { operation: `GET ${path}`, method: 'GET', path, ...counts, oldMs: times, newMs: times },
      ],
      differences: [
        {
          operation: `GET ${path}`,
          kind: 'type',
          at: '$.user.id',
          old: 51,
          new: '(text, 2 characters)',
          count: 2,
          example: READ,
          accepted: null,
        },
      ],
      gone: [],
    });
  });

  it('is a table for people, beside files of --json-file and --html for their owner alone', async () => {
    await plant((answer) => void (answer.text = answer.text.replace('Anna', '<script>alert(1)</script>')));
    const [json, html] = [files.path('report.json'), files.path('report.html')];
    requestsFile = write('requests-for-people', lines([READ]));
    const addresses = ['compare', '--old', old.url, '--new', fresh.url, '--requests', requestsFile];
    const { status, output } = await qa([
      ...addresses,
      '--credentials',
      credentials,
      '--json-file',
      json,
      '--html',
      html,
      '--values',
    ]);
    expect(status).toBe(1);
    expect(output).toMatch(/^GET \/organisations\/\{organisationId\}\/users\/\{userId\} +1 +0 +0 +1 +0 /m);
    expect(output).toContain('value $.user.firstName: another value, in 1 request\n    old: "Anna"');
    expect(output).toContain(`curl -i -H "Authorization: $CREDENTIAL" '${fresh.url}${READ.path}'`);
    expect((JSON.parse(readFileSync(json, 'utf8')) as CompareReport).total.sent).toBe(1);
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('&quot;&lt;script&gt;alert(1)&lt;/script&gt;&quot;');
    expect(page).not.toContain('<script');
    for (const path of [json, html]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('shows of texts their length, and with --values the texts', async () => {
    const link = '<https://panel.example/reset/Ab3dE9>; rel="next"';
    await plant((answer) => {
      answer.text = answer.text.replace('Anna', 'Ihr Code ist 4711');
      answer.headers = { ...answer.headers, Link: link };
    });
    const [json, html] = [files.write('open.json', ''), files.path('lengths.html')];
    chmodSync(json, 0o644);
    const { report, output } = await compare({
      requests: [READ],
      args: ['--json-file', json, '--html', html],
    });
    expect(statSync(json).mode & 0o777).toBe(0o600);
    expect(report?.differences.map(({ at, old, new: fresh }) => [at, old, fresh])).toEqual([
      ['$.user.firstName', '(text, 4 characters)', '(text, 17 characters)'],
      ['Link', null, `(text, ${link.length} characters)`],
    ]);
    const printed = [output, readFileSync(json, 'utf8'), readFileSync(html, 'utf8')].join();
    for (const text of ['Anna', '4711', 'Ab3dE9']) expect(printed).not.toContain(text);
    const { output: values } = await compareAgain(['--values']);
    expect(values).toContain('"Anna"');
  });

  it('holds no character that a terminal would obey', async () => {
    await plant((answer) => {
      answer.text = answer.text
        .replace('"firstName"', '"first\\u009bName"')
        .replace('Anna', '\u009b31m\u202eannA \u001b[2J'.replace('\u001b', '\\u001b'));
    });
    const html = files.path('control.html');
    requestsFile = write('requests-control', lines([READ]));
    const addresses = ['compare', '--old', old.url, '--new', fresh.url, '--requests', requestsFile];
    const options = [...addresses, '--credentials', credentials, '--values'];
    const table = await qa([...options, '--html', html]);
    expect(table.output).toContain(String.raw`\u009b31m\u202eannA \u001b[2J`);
    const { output } = await qa([...options, '--json']);
    expect((JSON.parse(output) as CompareReport).differences.map(({ new: value }) => value)).toContain(
      '\u009b31m\u202eannA \u001b[2J',
    );
    for (const text of [table.output, table.errors, output, readFileSync(html, 'utf8')])
      expect(text).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it('has lines of curl that lead where the tool has sent', async () => {
    // Each operation has a difference of its own: one that they share has one line.
    const answering = (value: number) =>
      startServer(createServer(({ url = '' }, response) => response.end(JSON.stringify({ [url]: value }))));
    const sides = [`${await answering(1)}/panel/v1`, `${await answering(2)}/panel/v1`] as const;
    const requests = ['/roles?x[]=1', '/health/live', '/v1/countries'].map((path) => ({
      method: 'GET',
      path,
    }));
    const html = files.path('curl.html');
    await compare({ requests, sides, args: ['--html', html] });
    const page = readFileSync(html, 'utf8');
    const server = sides[1].replace('/v1', '');
    expect(page).toContain(`curl -i --globoff &#39;${server}/v1/roles?x[]=1&#39;`);
    expect(page).toContain(`curl -i &#39;${server}/health/live&#39;`);
    expect(page).toContain(`curl -i &#39;${server}/v1/countries&#39;`);
  });

  it('says how often the old side answered with which status', async () => {
    const nobody = { ...READ, as: undefined };
    const { errors } = await compare({ requests: [READ, nobody, nobody] });
    expect(errors).toContain('Statuses of the old side: 200 (1), 401 (2)');
  });

  it('says how many requests were skipped, and why', async () => {
    const requests = [
      { method: 'GET', path: '/nothing', as: 'key' },
      { method: 'DELETE', path: '/organisations/5', as: 'key' },
      { ...READ, as: 'nobody we know' },
      { ...READ, as: undefined, headers: { Authorization: 'unknown' } },
      'nonsense',
      READ,
    ];
    const { status, errors, total } = await compare({ requests });
    expect({ status, ...total }).toMatchObject({ status: 0, sent: 1, skipped: 5 });
    expect(errors).toContain(
      'Skipped: not in the description (1), a write (1), no credential (2), unreadable (1)',
    );
  });
});

describe('what qa compare sends', () => {
  it('is each read twice to the old server and once to the new one, and no write', async () => {
    const { method, path } = READ;
    await compare({ requests: [READ, { method: 'POST', path: '/organisations', body: {}, as: 'key' }] });
    const call = `${method} /v1${path}`;
    expect({ old: calls(old), new: calls(fresh) }).toEqual({ old: [call, call], new: [call] });
  });

  it('is read from a HAR file, by the digest of its credentials, and of its headers Accept and Accept-Language alone', async () => {
    const secret = 'the credential of a browser';
    const header = (name: string, value: string) => ({ name, value });
    const headers = [
      header(':authority', new URL(old.url).host),
      header('Authorization', secret),
      header('Cookie', 'session=1'),
      header('If-None-Match', '"1"'),
      header('X-HTTP-Method-Override', 'DELETE'),
      header('X-Original-URL', '/v1/jobs/1/retry'),
      header('X-Api-Key', 'K3Y'),
      header('X-Forwarded-For', '10.0.0.1'),
      header('Accept-Language', 'nl'),
    ];
    const entry = (url: string) => ({ request: { method: 'GET', url, headers }, response: {} });
    const har = JSON.stringify({
      log: {
        entries: [
          entry(`${old.url}${READ.path}`),
          entry(`/v1${READ.path}`),
          entry('https://cdn.example/x.js'),
        ],
      },
    });
    const digest = createHash('sha256').update(secret).digest('hex');
    const own = write('digests.json', JSON.stringify({ [`sha256:${digest}`]: KEY.key }));
    const { status, total, errors } = await compare({
      requests: gzipSync(har),
      args: ['--credentials', own],
    });
    expect({ status, ...total }).toMatchObject({ status: 0, sent: 2, skipped: 1 });
    expect(errors).toContain('another host (1)');
    expect(fresh.requests[0]?.headers).toMatchObject({ 'accept-language': 'nl', authorization: PANEL_KEY });
    const sent = [
      'accept',
      'accept-encoding',
      'accept-language',
      'authorization',
      'connection',
      'host',
      'user-agent',
    ];
    for (const { headers: names } of [...old.requests, ...fresh.requests])
      expect(Object.keys(names).sort()).toEqual(sent);
    expect((await compareAgain(['--any-host', '--credentials', own])).errors).toContain(
      'not in the description (1)',
    );
  });

  it('is byte for byte what each kind of file has', async () => {
    // Node's own server refuses a request line with bytes beyond ASCII, so that this one only listens.
    const lineOf: string[] = [];
    const listener = createSocketServer((socket) => {
      socket.on('data', (bytes) => {
        lineOf.push(bytes.toString('latin1').split('\r\n', 1)[0] ?? '');
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
      });
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1`;
    const query = 'organisations?filter=B\u00e4ck|"a"';
    const log = String.raw`1.2.3.4 - - [28/Nov/2026:10:00:00 +0000] "GET /v1/organisations?filter=B\xC3\xA4ck|\x22a\x22 HTTP/1.1" 200 5 "-" "-"`;
    const har = { log: { entries: [{ request: { method: 'GET', url: `${url}/${query}`, headers: [] } }] } };
    const files = [log, JSON.stringify(har), JSON.stringify({ method: 'GET', path: `/${query}` })];
    for (const file of files) await compare({ requests: `${file}\n`, sides: [url, url] });
    await new Promise((resolve) => listener.close(resolve));
    // Each goes to the old server, the new one, and the old one again.
    const target = '/v1/organisations?filter=B\u00c3\u00a4ck|"a"';
    expect(lineOf).toEqual(Array.from({ length: 9 }, () => `GET ${target} HTTP/1.1`));
  });

  it('is skipped as a write where its query would make it another method', async () => {
    const queries = [
      '_method=DELETE',
      'a=b&%5Fmethod=PUT',
      '.method=PUT',
      '_METHOD[]=x',
      'X-HTTP-Method=PUT',
    ];
    const requests = [READ, ...queries.map((query) => ({ ...READ, path: `${READ.path}?${query}` }))];
    const { total, errors } = await compare({ requests });
    expect(total).toMatchObject({ sent: 1, skipped: 5 });
    expect(errors).toContain('Skipped: a write (5)');
    old.requests.splice(0);
    const written = await compareAgain(['--writes', '--writes-to', '127.0.0.1']);
    expect(written.total).toMatchObject({ sent: 6, skipped: 0 });
    // A read goes to the old server twice, a write once.
    expect(old.requests).toHaveLength(7);
  });

  it('is skipped where its query has a credential', async () => {
    const requests = ['token=t0k', 'user[api_key]=x', 'a=b&%70assword=x'].map((query) => ({
      ...READ,
      path: `${READ.path}?${query}`,
    }));
    const { total, errors } = await compare({ requests });
    expect(total).toMatchObject({ sent: 0, skipped: 3 });
    expect(errors).toContain('Skipped: a credential in its query (3)');
    expect([...old.requests, ...fresh.requests]).toEqual([]);
  });

  it('is read from an access log, without credentials', async () => {
    const line = (request: string) =>
      `2001:db8::1 - - [28/Nov/2026:10:00:00 +0000] "${request}" 200 5 "-" "a \\"b\\""`;
    const log = [
      line(`GET /v1${READ.path}?limit=2 HTTP/1.1`),
      line(`HEAD ${READ.path} HTTP/2.0`),
      line('POST /v1/login HTTP/1.1'),
      line('-'),
    ].join('\r\n');
    const { status, total, report } = await compare({ requests: log });
    expect({ status, ...total }).toMatchObject({ status: 0, sent: 2, skipped: 2 });
    expect(report?.operations.map((one) => one.operation)).toEqual([
      'POST /login',
      operation,
      operation.replace('GET', 'HEAD'),
    ]);
    expect(fresh.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
  });

  it('is chosen by --only, --skip and --limit', async () => {
    const requests = [READ, { ...READ, path: '/organisations' }, READ, READ];
    const only = await compare({ requests, args: ['--only', operation, '--limit', '2'] });
    expect(only.total).toMatchObject({ sent: 2, skipped: 1 });
    const rest = await compareAgain(['--skip', 'GET /organisations/{id}/users/{id}']);
    expect(rest.total).toMatchObject({ sent: 1, skipped: 3 });
  });

  it('is with --all every GET, and never a retry of a job', async () => {
    const paths = ['/weather/5', '/jobs/5', '/jobs/5/retry', '/x/../jobs/6/retry?a', '/jobs/7%2Fretry'];
    const requests = paths.map((path) => ({ ...READ, path }));
    const { total, errors, report } = await compare({
      requests: [...requests, { method: 'POST', path: '/weather' }],
      args: ['--all'],
    });
    expect(total).toMatchObject({ sent: 2, skipped: 4 });
    expect(errors).toContain('--all also sends GETs that no description knows');
    expect(calls(old).join(' ')).not.toContain('retry');
    expect(report?.operations.map((one) => one.operation)).toEqual(['GET /jobs/{…}', 'GET /weather/{…}']);
  });

  it('has the path of --old and --new before its own', async () => {
    const paths: string[] = [];
    const url = await startServer(
      createServer(({ url }, response) => {
        paths.push(String(url));
        response.end('{}');
      }),
    );
    const sides = [`${url}/panel/api/v1`, `${url}/v1/`] as const;
    const requests = [
      { method: 'GET', path: '/panel/api/v1/countries' },
      { method: 'GET', path: '/roles?a=b' },
    ];
    const { status } = await compare({ requests, sides, args: ['--concurrency', '1'] });
    expect(status).toBe(0);
    const countries = ['/panel/api/v1/countries', '/v1/countries', '/panel/api/v1/countries'];
    expect(paths).toEqual([
      ...countries,
      '/panel/api/v1/roles?a=b',
      '/v1/roles?a=b',
      '/panel/api/v1/roles?a=b',
    ]);
  });

  it('keeps to --rate', async () => {
    const begin = performance.now();
    const { total } = await compare({ requests: Array(11).fill(READ), args: ['--rate', '10'] });
    expect(total?.sent).toBe(11);
    expect(performance.now() - begin).toBeGreaterThan(1000);
  });
});

describe('--credentials of qa compare', () => {
  const login = write(
    'login.json',
    JSON.stringify({ anna: PANEL_USER, wrong: { username: 'x', password: 'geheim' } }),
  );
  const asAnna = { ...READ, as: 'anna' };

  it('log a user in on both sides, and out at the end', async () => {
    const { status, total } = await compare({ requests: [asAnna, asAnna], args: ['--credentials', login] });
    expect({ status, ...total }).toMatchObject({ status: 0, sent: 2 });
    for (const panel of [old, fresh]) {
      expect(panel.logins.size).toBe(0);
      expect(calls(panel)[0]).toBe('POST /v1/login');
      expect(calls(panel).at(-1)).toBe('POST /v1/logout');
    }
  });

  it('are skipped where the login fails, and named without the password', async () => {
    const { status, total, errors } = await compare({
      requests: [{ ...READ, as: 'wrong' }, READ],
      args: ['--credentials', login],
    });
    expect({ status, ...total }).toMatchObject({ status: 2, sent: 0, skipped: 2 });
    expect(errors).toContain(
      'The login of wrong fails, so its requests are skipped: 401 on the old side, 401 on',
    );
    expect(errors).not.toContain('geheim');
  });

  it('are logged out after SIGINT too, and --resume goes on and sends nothing twice', async () => {
    const requests = Array.from({ length: 60 }, (_, index) => ({
      ...asAnna,
      path: `${READ.path}?page=${index}`,
    }));
    const args = ['--credentials', login, '--rate', '50'];
    const stopped = await compare({
      requests,
      args,
      meanwhile: (child) => {
        const watch = setInterval(() => {
          if (fresh.requests.length < 20) return;
          clearInterval(watch);
          child.kill('SIGINT');
        }, 5);
      },
    });
    expect(stopped.status).toBe(130);
    expect(stopped.errors).toContain('Interrupted: the rest was not sent. --resume goes on.');
    expect([old.logins.size, fresh.logins.size]).toEqual([0, 0]);
    const [sent, kept] = [stopped.total?.sent ?? 0, readFileSync(`${requestsFile}.compare`, 'utf8')];
    expect(sent).toBeLessThan(60);
    for (const secret of [PANEL_USER.password, ...fresh.requests.map(({ authorization }) => authorization)]) {
      if (secret !== undefined) expect(kept).not.toContain(secret);
    }
    const resumed = await compareAgain([...args, '--resume']);
    expect({ status: resumed.status, ...resumed.total }).toMatchObject({ status: 0, sent: 60, equal: 60 });
    const reads = calls(fresh).filter((call) => call.startsWith('GET'));
    expect(reads.toSorted()).toEqual(requests.map(({ path }) => `GET /v1${path}`).toSorted());
    expect(existsSync(`${requestsFile}.compare`)).toBe(false);
  });

  it('are tried again where a side answers 429 or 503 to the login', async () => {
    let logins = 0;
    const limited = await startServer(
      createServer(({ url }, response) => {
        if (url !== '/v1/login') return void response.end('{}');
        logins += 1;
        if (logins < 3) response.writeHead(logins === 1 ? 429 : 503, { 'retry-after': '1' });
        response.end(JSON.stringify({ hash: 'a1'.repeat(32) }));
      }),
    );
    const sides = [`${limited}/v1`, old.url] as const;
    const { total } = await compare({ requests: [asAnna], args: ['--credentials', login], sides });
    expect({ logins, ...total }).toMatchObject({ logins: 3, sent: 1, skipped: 0 });
  });

  it('are named where others can read the file', async () => {
    const open = files.write('open.json', JSON.stringify(KEY));
    chmodSync(open, 0o644);
    const { errors } = await compare({ requests: [READ], args: ['--credentials', open] });
    expect(errors).toContain(`${open}: others can read this file`);
  });
});

describe('--writes of qa compare', () => {
  const base = '/organisations/5/users/51/contacts';
  const contact = { type: 'email', name: 'jan@bakery.example' };
  const requests = [
    { method: 'POST', path: base, body: contact, as: 'key' },
    { method: 'GET', path: `${base}/500`, as: 'key' },
    { method: 'PUT', path: `/v1${base}/500?contactId=500`, body: { ...contact, contactId: 500 }, as: 'key' },
    { method: 'DELETE', path: `${base}/500`, as: 'key' },
    { method: 'GET', path: `${base}/500`, as: 'key' },
  ];
  const { host } = new URL('http://127.0.0.1');

  it('sends them in their order, with the ids that the new side answered', async () => {
    fresh = await start([], 900);
    const { status, found, total } = await compare({ requests, args: ['--writes', '--writes-to', host] });
    expect({ status, found, ...total }).toMatchObject({ status: 0, found: [], sent: 5, different: 0 });
    expect(calls(fresh)).toEqual([
      `POST /v1${base}`,
      `GET /v1${base}/900`,
      `PUT /v1${base}/900?contactId=900`,
      `DELETE /v1${base}/900`,
      `GET /v1${base}/900`,
    ]);
    expect(JSON.parse(fresh.requests[2]?.body ?? '')).toEqual({ ...contact, contactId: 900 });
    expect(calls(old).filter((call) => !call.startsWith('GET'))).toHaveLength(3);
  });

  it('exits with 2 and sends nothing where --writes-to names another host', async () => {
    const args = ['--writes', '--writes-to', 'copy.example'];
    const { status, errors } = await compare({ requests, args });
    expect(status).toBe(2);
    expect(errors).toContain(`it does not name ${new URL(old.url).host} and ${new URL(fresh.url).host}`);
    expect((await compareAgain(['--writes'])).status).toBe(2);
    expect((await compareAgain(['--writes', '--writes-to', new URL(old.url).host])).status).toBe(2);
    expect([...old.requests, ...fresh.requests]).toEqual([]);
  });

  it('logs out at the end what logged in', async () => {
    const { status } = await compare({
      requests: [{ method: 'POST', path: '/login', body: PANEL_USER }],
      args: ['--writes', '--writes-to', host],
    });
    expect({ status, old: old.logins.size, new: fresh.logins.size }).toEqual({ status: 0, old: 0, new: 0 });
  });
});

it('qa compare prints nothing of a file that could be a secret', async () => {
  const secrets = ['k3yV4lu3'.repeat(5), 'geheim-Wachtwoord', 'tok3n'.repeat(6), '4f'.repeat(32)];
  const [key, password, token, hash] = secrets;
  const path = `/registerInvitation/${token}`;
  const downloads = `/downloadpdf/5/7/${hash}`;
  const body = { username: 'anna', password };
  fresh = await start([
    { method: 'GET', path, change: (answer) => void (answer.status = 500) },
    { method: 'GET', path: downloads, change: (answer) => void (answer.text = `{"hash":5,"a":"${key}"}`) },
    { method: 'POST', path: '/login', change: (answer) => void (answer.status = 500) },
  ]);
  const html = files.path('secrets.html');
  const { status, output, errors } = await compare({
    requests: [
      { method: 'GET', path: `${path}?a=${key}`, as: 'key' },
      { method: 'GET', path: downloads, as: 'key' },
      { method: 'GET', path: '/whoami', headers: { authorization: key } },
      { method: 'GET', path: '/whoami', as: key },
      { method: 'POST', path: '/login', body },
      `{"method":"GET","path":"/${token}`,
    ],
    args: ['--writes', '--writes-to', '127.0.0.1', '--html', html, '--values'],
  });
  expect(status).toBe(1);
  const printed = [output, errors, readFileSync(html, 'utf8')].join('\n');
  expect(printed).toContain('/registerInvitation/{masked}?a={masked}');
  for (const secret of [...secrets, PANEL_KEY]) expect(printed).not.toContain(secret);
});

describe('qa compare with servers that do not answer as they should', () => {
  const answering = (answer: Parameters<typeof createServer>[1]): Promise<string> =>
    startServer(createServer(answer));
  const requests = [{ method: 'GET', path: '/countries' }];

  it('stops where one side fails twenty times in a row, and names --resume', async () => {
    const gone = `http://127.0.0.1:${await freePort()}/v1`;
    const many = Array(30).fill(READ);
    const nothing = await compare({ requests: many, sides: [old.url, gone] });
    expect(nothing.status).toBe(2);
    expect(nothing.errors).toContain('Stopped: the new side failed 20 times in a row: ECONNREFUSED');
    expect(fresh.requests).toEqual([]);
    const lost = await compare({
      requests: many,
      args: ['--rate', '50', '--concurrency', '1'],
      meanwhile: () => {
        const watch = setInterval(() => {
          if (fresh.requests.length < 3) return;
          clearInterval(watch);
          void fresh.stop();
        }, 5);
      },
    });
    expect(lost.status).toBe(1);
    expect(lost.errors).toMatch(/Stopped: the new side failed 20 times in a row: \w+\n*.*--resume goes on\./);
    expect(lost.found).toContain(`${operation} status `);
    expect(lost.total?.sent).toBeLessThan(30);
  });

  it.each<[string, (response: import('node:http').ServerResponse) => unknown, string, unknown]>([
    [
      'break off',
      (response) =>
        response.writeHead(200, { 'content-length': '50' }).write('{"a":', () => response.destroy()),
      'body $',
      /^breaks off after 5 bytes: /,
    ],
    [
      'never end',
      (response) => response.writeHead(200).write('{'),
      'body $',
      /^breaks off after 1 bytes: nothing within 2 s$/,
    ],
    ['never begin', () => undefined, 'status ', 'no answer: nothing within 2 s'],
    ['hang up', (response) => response.destroy(), 'status ', 'no answer: ECONNRESET'],
    [
      'lead elsewhere',
      (response) => response.writeHead(302, { location: '/v1/roles' }).end(),
      'status ',
      302,
    ],
    ['are no JSON', (response) => response.end('<html>'), 'body $', 'no JSON (no type), 6 bytes'],
    [
      'are packed and cut off',
      (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}').subarray(0, 12)),
      'body $',
      /^breaks off/,
    ],
    [
      'are huge',
      (response) => response.end(`["${'x'.repeat(9_000_000)}"]`),
      'body $',
      'too large to be compared by fields, 9000004 bytes',
    ],
  ])('says where answers %s', async (what, answer, where, shown) => {
    const good = await answering((__, response) => response.end('{}'));
    const bad = await answering((__, response) => void answer(response));
    const { status, report, found } = await compare({
      requests,
      sides: [good, bad],
      args: what.startsWith('never') ? ['--timeout', '2'] : [],
    });
    expect({ status, found }).toEqual({ status: 1, found: [`GET /countries ${where}`] });
    const value = report?.differences[0]?.new;
    if (shown instanceof RegExp) expect(value).toMatch(shown);
    else expect(value).toBe(shown);
  });

  it('unpacks answers, and compares huge ones as a whole', async () => {
    const packed = await answering(({ url }, response) => {
      const body = url?.startsWith('/v1/roles') ? `["${'x'.repeat(9_000_000)}"]` : '{"a":1}';
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
    });
    const plain = await answering(({ url }, response) =>
      response.end(url?.startsWith('/v1/roles') ? `["${'x'.repeat(9_000_000)}"]` : '{"a":1}'),
    );
    const both = [...requests, { method: 'GET', path: '/roles' }, { method: 'HEAD', path: '/countries' }];
    const { status, total } = await compare({ requests: both, sides: [`${packed}/v1`, `${plain}/v1`] });
    expect({ status, ...total }).toMatchObject({ status: 0, equal: 3 });
  });

  it('waits where one side answers 429', async () => {
    let count = 0;
    const limited = await answering((_, response) => {
      count += 1;
      if (count % 2 === 1) response.writeHead(429, { 'retry-after': '1' });
      response.end('{}');
    });
    const good = await answering((_, response) => response.end('{}'));
    const { status, total } = await compare({ requests, sides: [good, limited] });
    expect({ status, count, ...total }).toMatchObject({ status: 0, count: 2, equal: 1 });
  });

  const isOpensslThere = spawnSync('openssl', ['version']).status === 0;

  (isOpensslThere ? it : it.skip)(
    'exits with 2 on a certificate that nobody vouches for, and takes one of NODE_EXTRA_CA_CERTS',
    async () => {
      const [key, certificate] = [files.path('key.pem'), files.path('certificate.pem')];
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '2',
        ].concat([
          '-subj',
          '/CN=localhost',
          '-addext',
          'subjectAltName=IP:127.0.0.1',
          '-keyout',
          key,
          '-out',
          certificate,
        ]),
        { stdio: 'ignore' },
      );
      const options = { key: readFileSync(key), cert: readFileSync(certificate) };
      const url = await startServer(createSecureServer(options, (_, response) => response.end('{}')));
      const secure = url.replace('http:', 'https:');
      const unknown = await compare({ requests, sides: [secure, secure] });
      expect(unknown.status).toBe(2);
      expect(unknown.report?.differences[0]?.new).toMatch(/SELF_SIGNED.*NODE_EXTRA_CA_CERTS/);
      const sides = [secure, secure] as const;
      const known = await compareAgain([], { sides, environment: { NODE_EXTRA_CA_CERTS: certificate } });
      expect(known.status).toBe(0);
    },
  );
});

/** The most memory that a process of Linux has had, in MB; undefined once it has ended. */
function mostMemory({ pid }: ChildProcess): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
}

(existsSync('/proc/self/status') ? it : it.skip)(
  'qa compare takes a file of a million requests in at most 200 MB of memory',
  async () => {
    const url = await startServer(createServer((_, response) => response.end('{"organisations":[]}')));
    const SENT_OF = 250;
    const requests = Array.from({ length: 1_000_000 }, (_, index) => {
      const as = index % SENT_OF === 0 ? 'key' : 'somebody else';
      return `{"method":"GET","path":"/organisations/${index}/users?limit=${index}","as":"${as}"}`;
    }).join('\n');
    let most = 0;
    const { status, total } = await compare({
      requests,
      sides: [`${url}/v1`, `${url}/v1`],
      args: ['--rate', '10000'],
      meanwhile: (child) => {
        const watch = setInterval(() => (most = mostMemory(child) ?? most), 100);
        child.once('close', () => clearInterval(watch));
      },
    });
    expect({ status, ...total }).toMatchObject({ status: 0, sent: 4000, skipped: 996_000 });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(200);
  },
);

describe('wrong use of qa compare', () => {
  const file = write('requests.jsonl', lines([READ]));
  const addresses = ['--old', 'http://localhost:1/v1', '--new', 'http://localhost:1/v1'];
  const WRONG: readonly (readonly [args: readonly string[], told: string])[] = [
    [[], '--old needs an http address'],
    [
      ['--old', 'http://a:b@localhost/', '--new', 'http://localhost'],
      '--old needs an http address without password',
    ],
    [addresses, '--requests needs a file.'],
    [[...addresses, '--requests', '/nowhere/x'], '/nowhere/x cannot be read: ENOENT.'],
    [[...addresses, '--requests', files.folder], 'it is no file'],
    [[...addresses, '--requests', write('empty', '')], 'it is empty'],
    [[...addresses, '--requests', write('text', 'hello')], 'its form cannot be seen; --format says it'],
    [[...addresses, '--requests', file, '--format', 'xml'], '--format needs har, jsonl or log.'],
    [[...addresses, '--requests', file, '--only', 'GET /weather'], 'There is no operation "GET /weather".'],
    [[...addresses, '--requests', file, '--limit', '0'], '--limit needs a whole number above 0.'],
    [[...addresses, '--requests', file, '--rate', 'fast'], '--rate needs a number from 0.01 to 10000.'],
    [
      [...addresses, '--requests', file, '--concurrency', '0'],
      '--concurrency needs a whole number from 1 to 64.',
    ],
    [
      [...addresses, '--requests', file, '--slower-than', '0.5'],
      '--slower-than needs a number from 1 to 1000.',
    ],
    [[...addresses, '--requests', file, '--clock', '-1'], '--clock'],
    [[...addresses, '--requests', file, '--writes-to', 'x'], '--writes-to needs --writes.'],
    [[...addresses, '--requests', file, '--html', '/nowhere/x.html'], '/nowhere/x.html cannot be written.'],
    [[...addresses, '--requests', file, '--html', files.folder], `${files.folder} cannot be written.`],
    [[...addresses, '--requests', file, '--credentials', '/nowhere/c'], '/nowhere/c cannot be read: ENOENT.'],
    [
      [...addresses, '--requests', file, '--credentials', write('bad', '{"a":{"old":"s3cret"}}')],
      'credential 1 needs',
    ],
    [[...addresses, '--requests', file, '--colour'], "Unknown option '--colour'"],
    [
      [...addresses, '--requests', write('broken.har', '{"log":{"entries":[')],
      'it breaks off, or is no JSON',
    ],
  ];

  it.each(WRONG)('exits with 2 and says what is wrong: %j', async (args, told) => {
    const { status, errors } = await qa(['compare', ...args]);
    expect({ status, errors }).toEqual({ status: 2, errors: expect.stringContaining(told) });
    expect(errors).not.toContain('s3cret');
  });

  it('exits with 2 on --resume with another file, and begins anew where no run was stopped', async () => {
    const again = await compare({ requests: [READ], args: ['--resume'] });
    expect(again).toMatchObject({ status: 0, errors: expect.stringContaining('this one begins anew') });
    files.write(`requests-${runs}.compare`, JSON.stringify({ of: 'another' }));
    const other = await compareAgain(['--resume']);
    expect(other).toMatchObject({ status: 2, errors: expect.stringContaining('is of another run') });
  });
});
