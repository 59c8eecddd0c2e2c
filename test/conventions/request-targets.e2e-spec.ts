import { once } from 'node:events';
import { connect } from 'node:net';
import request from 'supertest';
import { askRaw, type RawAnswer } from '../support/faults/raw-targets';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { asAdmin } from '../support/service/client';
import { describeService } from '../support/service/service';
import { until } from '../support/service/until';

interface LogLine {
  readonly requestId: string;
  readonly route: string;
  readonly status: number;
  readonly reason?: string;
}

const METRICS = '/metrics';
const ORGANISATION = '/v1/organisations/:organisationId';
const ORGANISATIONS = '/v1/organisations';

/** Targets to the byte: one character of a text is one byte. */
const REFUSED: readonly string[] = [
  // A fragment, wherever it stands.
  '/metrics#',
  '/metrics#x',
  '/metrics\\#',
  '/METRICS\\#',
  '/health\\ready#',
  '/v1\\organisations\\1#',
  '/v1/organisations/1#/../login',
  '/v1/organisations?limit=1#',
  '/v1/organisations?#limit=1',
  '/#',
  '//user@[bad#',
  '//%zz@x/#',
  '//user:password@host:port/v1/whoami#',
  'http://x/v1/organisations/1#',
  '*#',
  // What no path may hold.
  ...['\\', '"', '<', '>', '[', ']', '^', '`', '{', '|', '}'].flatMap((character) => [
    `/v1/organisations${character}1`,
    `/v1/organisations/1${character}`,
    `http://x/v1/organisations/1${character}?limit=1`,
  ]),
  '/\\x/metrics',
  '/v1\\..\\metrics',
  // The absolute form of something else.
  'ftp://x/v1/organisations/1',
  'x://metrics/metrics',
  'file:///metrics',
  'ws://x/metrics',
  'httpss://x/metrics',
  'http:///metrics',
  'https:///v1/organisations/1',
  'http://?/metrics',
  'http://@/metrics',
  'http://:80/metrics',
  'http://user@/metrics',
  'http://x:99999/metrics',
  'http://[/metrics',
  'http://[::1/metrics',
  'http://x%/metrics',
];

/** Node's parser refuses these already: it answers in the same shape. */
const UNREADABLE: readonly string[] = [
  '\t',
  '\f',
  '\0',
  '\x01',
  '\x0b',
  '\x1f',
  '\x7f',
  ' ',
  // UTF-8 that is not encoded, and other bytes of which no URL consists.
  '\x85',
  '\xa0',
  '\xc3\xa9',
  '\xef\xbb\xbf',
  '\xff',
]
  .flatMap((character) => [
    `/metrics${character}`,
    `/v1/organisations/1${character}x`,
    `/v1/organisations?filter=${character}x`,
  ])
  // A blank ends the target: what follows is no version of HTTP.
  .map((target) => target.replace(/ $/, ' x'))
  .concat('\\metrics', 'http:/metrics', 'http:metrics', 'metrics', '?x', 'http://x#/v1/organisations/1');

/** Targets with the status and the route that they have, with the credential of an admin. */
const SERVED: readonly (readonly [target: string, status: number, route: string])[] = [
  [METRICS, 200, METRICS],
  ['//metrics', 200, METRICS],
  ['/metrics/', 200, METRICS],
  ['///METRICS//', 200, METRICS],
  ['/metrics?', 200, METRICS],
  ['/metrics%23', 404, 'unknown'],
  ['/metrics%5c', 404, 'unknown'],
  ['/%6detrics', 404, 'unknown'],
  ['/v1/organisations/1', 200, ORGANISATION],
  ['//v1///organisations//1//', 200, ORGANISATION],
  ['/V1/Organisations/1', 200, ORGANISATION],
  ['http://x/v1/organisations/1', 200, ORGANISATION],
  ['HTTPS://x:8443//v1//organisations/1', 200, ORGANISATION],
  ['http://user:password@x/v1/organisations/1', 200, ORGANISATION],
  ['http://[::1]:80/v1/organisations/1', 200, ORGANISATION],
  ['http://x?/v1/organisations/1', 404, 'unknown'],
  ['http://x', 404, 'unknown'],
  ['//x/v1/organisations/1', 404, 'unknown'],
  ['//user@host/v1/organisations/1', 404, 'unknown'],
  ['//user@host:port/v1/organisations/1', 404, 'unknown'],
  ['/http://x/v1/organisations/1', 404, 'unknown'],
  ['*', 404, 'unknown'],
  ['*/metrics', 404, 'unknown'],
  ['*//metrics', 404, 'unknown'],
  ['/', 404, 'unknown'],
  ['//', 404, 'unknown'],
  ['/v1/../metrics', 404, 'unknown'],
  ['/v1/%2e%2e/metrics', 404, 'unknown'],
  ['/docs/../metrics', 404, 'unknown'],
  // Names nothing, and is a path.
  ["/v1/organisations/1;a=1!$&'()*+,=:@~", 404, ORGANISATION],
  ['/v1/organisations/%00', 404, ORGANISATION],
  ['/v1/organisations/%5c', 404, ORGANISATION],
  ['/v1/organisations/%23', 404, ORGANISATION],
  ['/v1/organisations/%C3%A9', 404, ORGANISATION],
  ['/v1/organisations/%zz', 404, 'unknown'],
  ['/v1/organisations/%', 404, 'unknown'],
  // What browsers and other clients send in a query as it is.
  ...['[', ']', '|', '^', '{', '}', '`', '"', "'", '<', '>', '\\', '/', '//', '?', ':', '@', '%', '%zz'].map(
    (text) => [`/v1/organisations?filter=${text}`, 200, ORGANISATIONS] as const,
  ),
  ['/v1/organisations?a[]=1&b={"c":[1]}&limit=1', 200, ORGANISATIONS],
  ['/v1/organisations/1?//user@[bad', 200, ORGANISATION],
  ['/v1/organisations?next=http://x/\\y', 200, ORGANISATIONS],
];

describeService(SHARED_VARIANTS, 'a request target in Variant %s', (service) => {
  let hash: string;
  beforeAll(async () => {
    hash = (await asAdmin(service)).hash ?? '';
  });

  const ask = (target: string): Promise<RawAnswer> => askRaw(service.url, target, { Authorization: hash });

  const lineOf = async ({ headers }: RawAnswer): Promise<LogLine | undefined> => {
    const id = /^x-request-id: (\S+)$/im.exec(headers)?.[1];
    const lines = (): LogLine[] =>
      service.logLines.map((line) => JSON.parse(line) as LogLine).filter(({ requestId }) => requestId === id);
    await until(() => lines().length > 0, 5);
    expect(lines()).toHaveLength(1);
    return lines()[0];
  };

  /** Requests with this status, whatever their method, route and outcome. */
  const count = async (status: number): Promise<number> => {
    const { text } = await request(service.url).get('/metrics').expect(200);
    const counter = new RegExp(`^http_requests_total\\{[^}]*status="${status}"[^}]*\\} (\\d+)$`, 'gm');
    return [...text.matchAll(counter)].reduce((sum, [, value]) => sum + Number(value), 0);
  };

  const OF_TARGETS = 'The request target is not a valid URL';
  it.each([
    ...REFUSED.map((target) => [target, [OF_TARGETS]] as const),
    ...UNREADABLE.map((target) => [target, [OF_TARGETS, 'The request is not valid HTTP']] as const),
  ])('%j is 400 BAD_REQUEST, has a line in the log, and counts', async (target, messages) => {
    const before = await count(400);
    const answer = await ask(target);
    const { requestId, message, ...body } = JSON.parse(answer.body) as Record<string, unknown>;
    expect({ status: answer.status, body }).toEqual({
      status: 400,
      body: { code: 400, reason: 'BAD_REQUEST' },
    });
    expect(messages).toContain(message);
    expect(answer.headers).toMatch(/^content-type: application\/json; charset=utf-8$/im);
    expect(answer.headers).toMatch(new RegExp(`^x-request-id: ${String(requestId)}$`, 'im'));
    const line = await lineOf(answer);
    expect(line).toMatchObject({ status: 400, reason: 'BAD_REQUEST' });
    expect(line?.route ?? 'unknown').toBe('unknown');
    expect(await count(400)).toBe(before + 1);
  });

  it.each(SERVED)('%j is %i, logged and counted as %s', async (target, status, route) => {
    const answer = await ask(target);
    expect(answer.status).toBe(status);
    if (route !== METRICS) expect(answer.headers).toMatch(/^content-type: application\/json/im);
    if (status === 404) expect(JSON.parse(answer.body)).toMatchObject({ code: 404, reason: 'NOT_FOUND' });
    expect(await lineOf(answer)).toMatchObject({ status, route });
  });

  it('//user@[bad# is 400 for every method, without a credential too', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const { hostname, port } = new URL(service.url);
      const socket = connect({ host: hostname, port: Number(port) });
      let text = '';
      socket.on('data', (part: Buffer) => (text += part.toString()));
      socket.write(
        `${method} //user@[bad# HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      );
      await once(socket, 'close');
      expect([method, text.split('\r\n')[0]]).toEqual([method, 'HTTP/1.1 400 Bad Request']);
    }
  });

  it('GET /organisations?filter= means the same with a text as it is and encoded', async () => {
    const found = async (target: string): Promise<unknown> => {
      const { body } = await ask(target);
      return (JSON.parse(body) as { organisations: { id: number }[] }).organisations.map(({ id }) => id);
    };
    const name = `A {b} [c] |d| ^e^ \\f "g" ü`;
    await service.sql`UPDATE organisations SET name = ${name} WHERE id = 1`;
    for (const part of ['{b}', '[c]', '|d|', '^e^', '\\f', '"g"', '%C3%BC', '%7Bb%7D', '%5Cf'])
      expect([part, await found(`/v1/organisations?limit=0&filter=${part}`)]).toEqual([part, [1]]);
  });
});
