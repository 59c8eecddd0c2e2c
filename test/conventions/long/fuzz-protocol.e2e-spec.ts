import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { makeOrganisation, makeUser } from '../../support/factories/factories';
import { asAdmin } from '../../support/service/client';
import { describeService } from '../../support/service/service';

interface RawResponse {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

describeService(['A'], 'HTTP under attack', (service) => {
  let hash: string;
  beforeAll(async () => {
    hash = (await asAdmin(service)).hash ?? '';
  });

  /** Writes bytes to a connection and reads answers until so many have come, or the service hangs up. */
  const exchange = (bytes: string | Buffer, count = 1): Promise<RawResponse[]> =>
    new Promise((resolve, reject) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let received = '';
      const finish = () => {
        socket.destroy();
        resolve(answersIn(received));
      };
      socket.on('data', (part: Buffer) => {
        received += part.toString('latin1');
        if (answersIn(received).length >= count) finish();
      });
      socket.once('close', finish);
      socket.once('error', reject);
    });

  const get = (target: string, method = 'GET'): string =>
    `${method} ${target} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: ${hash}\r\n\r\n`;

  const post = (body: string | Buffer, header = ''): Buffer =>
    Buffer.concat([
      Buffer.from(
        `POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}Content-Length: ${body.length}\r\n\r\n`,
      ),
      Buffer.from(body),
    ]);

  it.each([
    ['GET', '/', 404],
    ['GET', '/nothing', 404],
    ['GET', '/v2/login', 404],
    ['GET', '/docs/%ff', 404],
    ['GET', '/docs/..%2f..%2fpackage.json', 404],
    ['OPTIONS', '*', 404],
    ['POST', '/health/live', 405],
    ['DELETE', '/metrics', 405],
    ['GET', '/health/live', 200],
    ['GET', 'http://evil.example/v1/whoami', 200],
    ['GET', 'HTTP://evil.example//v1//whoami', 200],
    ['GET', 'http://evil.example', 404],
    ['GET', 'http://evil.example?a=//b', 404],
    ['GET', 'ftp://evil.example/v1/whoami', 400],
    ['GET', 'http://evil.example/v1/organisations?limit=1', 200],
    ['GET', 'http://evil:99999/v1/organisations?limit=1', 400],
    ['GET', 'http://[/v1/whoami', 400],
    ['GET', 'http:///v1/whoami', 400],
  ])('%s %s is answered as JSON: %i', async (method, target, status) => {
    const [response] = await exchange(get(target, method));
    expect(response?.status).toBe(status);
    expect(response?.headers).toMatch(/^content-type: application\/json/im);
    if (status >= 400) expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: status });
    if (status === 405) expect(response?.headers).toMatch(/^allow: /im);
  });

  it('GET of a list links to the next page by its path alone, whatever address was asked for', async () => {
    await makeUser(service, { organisationId: 1 });
    await makeOrganisation(service);
    for (const [target, next] of [
      ['http://evil.example/v1/organisations/1/users?limit=1', '/v1/organisations/1/users?limit=1&offset=1'],
      ['//v1/organisations?limit=1', '/v1/organisations?limit=1&offset=1'],
    ] as const) {
      const [response] = await exchange(get(target));
      expect(response?.status).toBe(200);
      expect(/^link: (.*)$/im.exec(response?.headers ?? '')?.[1]).toBe(`<${next}>; rel="next"`);
      expect(response?.headers).not.toContain('evil');
    }
  });

  it('POST /login: a connection goes on after a body that was too large (413)', async () => {
    const responses = await exchange(
      Buffer.concat([post('x'.repeat(300_000)), Buffer.from(get('/v1/whoami'))]),
      2,
    );
    expect(responses.map(({ status }) => status)).toEqual([413, 200]);
  });

  it('POST to an unknown path is 404 before its body has come', async () => {
    for (const path of ['/nothing', '/v1/nothing']) {
      const [response] = await exchange(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n{"a":`,
      );
      expect(response?.status).toBe(404);
      expect(JSON.parse(response?.body ?? '')).toMatchObject({ code: 404, reason: 'NOT_FOUND' });
    }
  });

  it('POST /login: half a request is 408 and ends its connection', async () => {
    const server = service.app.getHttpServer();
    const { requestTimeout, headersTimeout, maxConnections } = server;
    expect([requestTimeout, headersTimeout, maxConnections]).toEqual([30_000, 15_000, 2000]);
    // The look for connections whose time is over comes every five seconds.
    [server.requestTimeout, server.headersTimeout] = [500, 500];
    try {
      const start = Date.now();
      const [[response], ...others] = await Promise.all([
        exchange('POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{"a":'),
        exchange('POST /v1/login HTTP/1.1\r\nHost: x\r\n', 2),
      ]);
      expect(response?.status).toBe(408);
      expect(others[0]?.[0]?.status).toBe(408);
      for (const answer of [response, others[0]?.[0]]) {
        expect(answer?.headers).toMatch(/^content-type: application\/json; charset=utf-8$/im);
        const { requestId, ...body } = JSON.parse(answer?.body ?? '') as Record<string, unknown>;
        expect(answer?.headers).toMatch(new RegExp(`^x-request-id: ${String(requestId)}$`, 'im'));
        expect(body).toEqual({
          code: 408,
          reason: 'REQUEST_TIMEOUT',
          message: 'The request did not arrive whole in time',
        });
      }
      expect(Date.now() - start).toBeLessThan(9000);
    } finally {
      [server.requestTimeout, server.headersTimeout] = [requestTimeout, headersTimeout];
    }
  });

  it('POST /login: a body that comes byte by byte is 408 and ends its connection', async () => {
    const server = service.app.getHttpServer();
    const { requestTimeout, headersTimeout } = server;
    // Node takes the longer of the two for the whole request.
    [server.requestTimeout, server.headersTimeout] = [500, 500];
    try {
      const { hostname, port } = new URL(service.url);
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write('POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n{"username":"');
      const trickle = setInterval(() => socket.write('a'), 50);
      const start = performance.now();
      let received = '';
      socket.on('data', (part: Buffer) => (received += part.toString()));
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(trickle);
      expect(received).toMatch(/^HTTP\/1\.1 408 /);
      expect(performance.now() - start).toBeLessThan(9000);
    } finally {
      [server.requestTimeout, server.headersTimeout] = [requestTimeout, headersTimeout];
    }
  });

  it('POST /login: a small body that unpacks to a large one is 413', async () => {
    const bomb = gzipSync(`{"username":"${'x'.repeat(20_000_000)}"}`);
    const [response] = await exchange(post(bomb, 'Content-Encoding: gzip\r\n'));
    expect(response?.status).toBe(413);
  });

  it.each([
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":'],
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a folded header', 'X-A: b\r\n c\r\nContent-Length: 0\r\n\r\n'],
    ['a huge header', `Authorization: ${'a'.repeat(65_536)}\r\n\r\n`],
  ])('POST /login with %s is refused, and nothing behind it is served', async (_, rest) => {
    const responses = await exchange(`POST /v1/login HTTP/1.1\r\nHost: x\r\n${rest}${get('/v1/whoami')}`, 2);
    expect(responses).toHaveLength(1);
    expect([400, 431]).toContain(responses[0]?.status);
    expect(JSON.parse(responses[0]?.body ?? '')).toMatchObject({ code: responses[0]?.status });
  });
});

/** The complete answers in what a connection has given so far. */
function answersIn(received: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = received; ;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return responses;
    const headers = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
    if (rest.length < end + 4 + length) return responses;
    responses.push({
      status: Number(headers.slice(9, 12)),
      headers,
      body: rest.slice(end + 4, end + 4 + length),
    });
    rest = rest.slice(end + 4 + length);
  }
}
