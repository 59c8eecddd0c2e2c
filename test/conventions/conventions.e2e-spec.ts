import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import request from 'supertest';
import { servedPath } from '../../qa/deployment';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { type Customer, makeCustomer, makeOrganisation, nextNumber } from '../support/factories/factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { type DescribedRoute, Interface, nameOfRoute } from '../support/generators/interface';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { ADMIN, describeService, startTestService, useService } from '../support/service/service';
import { until } from '../support/service/until';

/** Operations that make the record that their path names, so that it need not exist. */
const MAKING: readonly string[] = ['documents.put'];

const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** rule answers 22: known paths that answer 404 to a method of the other variant, and no 405. */
const NOT_FOUND: PerVariant<readonly string[]> = {
  A: ['POST /v1/organisations/:organisationId/users'],
  B: [],
};

describeService(SHARED_VARIANTS, 'every route in Variant %s', (service, variant) => {
  let admin: ApiClient;
  let description: Interface;
  let customer: Customer;
  let stranger: Customer;
  beforeAll(async () => {
    admin = await asAdmin(service);
    description = await Interface.of(service);
    customer = await makeCustomer(service);
    stranger = await makeCustomer(service);
  });

  /** Sends text as it is, without the client library making it tidy. */
  const sendText = (path: string, text: string, type = 'application/json') =>
    request(service.url)
      .post(`/v1${path}`)
      .set('Authorization', admin.hash as string)
      .set('Content-Type', type)
      .serialize((body) => body as string)
      .send(text);

  /** Sends a path exactly as written: other clients normalise it first. */
  const getRaw = (path: string): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const sent = rawRequest(
        { hostname, port, path, headers: { Authorization: admin.hash } },
        (response) => {
          let body = '';
          response.on('data', (part: Buffer) => (body += part.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        },
      );
      sent.on('error', reject).end();
    });

  describe('the error body', () => {
    it('a 404 has code, message, reason and requestId, and nothing else', async () => {
      for (const path of ['/organisations/999999', '/nowhere']) {
        const response = await admin
          .get(path)
          .expect(404)
          .expect('Content-Type', /application\/json/);
        expect(response.body).toEqual({
          code: 404,
          message: expect.stringMatching(/not found$/) as string,
          reason: 'NOT_FOUND',
          requestId: response.headers['x-request-id'],
        });
      }
    });

    it('a 400 names the failing fields under errors.children, and the word of each fault under reasons', async () => {
      const { body } = await admin.post('/organisations', { name: 'x', country: 'XX' }).expect(400);
      expect(body).toEqual({
        code: 400,
        message: 'Validation Failed',
        reason: 'VALIDATION_FAILED',
        requestId: expect.any(String) as string,
        errors: {
          children: {
            taxNumber: { errors: [expect.any(String) as string] },
            country: { errors: [expect.any(String) as string] },
          },
        },
        reasons: { taxNumber: ['REQUIRED'], country: ['DOES_NOT_EXIST'] },
      });
    });

    it('GET /organisations/{organisationId}: a 404 is JSON whatever Accept says', async () => {
      for (const accept of ['text/html', 'text/csv', 'image/png', '']) {
        await admin
          .get('/organisations/999999')
          .set('Accept', accept)
          .expect(404)
          .expect('Content-Type', /application\/json/);
      }
    });

    it('POST /organisations: 500 ROLE_REQUIRED counts as denied and not as a fault, and logs no stack', async () => {
      const before = service.logLines.length;
      const response = await customer.plain.client.post('/organisations', {}).expect(500);
      expect(response.body).toEqual({
        code: 500,
        message: 'Insufficient role',
        reason: 'ROLE_REQUIRED',
        requestId: response.headers['x-request-id'],
      });
      const logged = service.logLines.slice(before).join('\n');
      expect(logged).not.toContain('stack');
      const metrics = (await request(service.url).get('/metrics').expect(200)).text;
      expect(metrics).toMatch(/http_requests_total\{[^}]*status="500",outcome="denied"\} \d/);
      expect(metrics).not.toContain('outcome="fault"');
    });

    it('GET /organisations/{organisationId}: 500 INTERNAL_ERROR says nothing but its request id, and logs its stack', async () => {
      await using own = await startTestService(variant);
      const client = await asAdmin(own);
      await own.sql('ALTER TABLE organisations RENAME COLUMN discount TO moved');
      const response = await client.get('/organisations/1').expect(500);
      expect(response.body).toEqual({
        code: 500,
        message: 'Internal error',
        reason: 'INTERNAL_ERROR',
        requestId: response.headers['x-request-id'],
      });
      const line = own.logLines.find((text) => text.includes('stack'));
      expect(line).toContain(String(response.headers['x-request-id']));
      expect((await request(own.url).get('/metrics')).text).toContain('outcome="fault"} 1');
    });
  });

  describe('the order of checks', () => {
    const call = (
      route: DescribedRoute,
      client: ApiClient,
      ids: { organisationId: number; userId: number },
    ) =>
      client
        .call(
          route.verb,
          route.path
            .replace(/^\/v1/, '')
            .replace(':organisationId', String(ids.organisationId))
            .replace(':userId', String(ids.userId))
            .replaceAll(/:\w+/g, '999999'),
        )
        .set('Content-Type', 'application/json')
        .send('{"broken');

    const expectStatus = async (
      routes: readonly DescribedRoute[],
      status: number,
      apiErrorOf: (route: DescribedRoute) => PromiseLike<{ status: number }>,
    ) => {
      expect(routes.length).toBeGreaterThan(0);
      for (const route of routes) {
        expect({ route: nameOfRoute(route), status: (await apiErrorOf(route)).status }).toEqual({
          route: nameOfRoute(route),
          status,
        });
      }
    };
    const secured = () => description.routes.filter(({ operation }) => operation !== undefined);
    const addressed = () => secured().filter(({ path }) => path.includes(':organisationId'));

    it('401 comes first, whatever the path and the body', async () => {
      const nowhere = { organisationId: 999_999, userId: 999_999 };
      await expectStatus(secured(), 401, (route) => call(route, anonymous(service), nowhere));
      const ids = { organisationId: customer.organisationId, userId: customer.plain.id };
      await expectStatus(secured(), 401, (route) => call(route, anonymous(service), ids));
    });

    it('404 comes next, for a record that does not exist, or not at this path', async () => {
      const { client } = stranger.plain;
      await expectStatus(addressed(), 404, (route) =>
        call(route, client, { organisationId: 999_999, userId: customer.plain.id }),
      );
      const misplaced = addressed().filter(({ path }) => path.includes(':userId'));
      await expectStatus(misplaced, 404, (route) =>
        call(route, client, { organisationId: customer.organisationId, userId: stranger.plain.id }),
      );
      const deeper = addressed().filter(
        ({ path, operation }) =>
          /:(?!organisationId|userId)\w+/.test(path) &&
          !path.includes('acls') &&
          !MAKING.some((making) => making === operation),
      );
      await expectStatus(deeper, 404, (route) =>
        call(route, client, { organisationId: customer.organisationId, userId: customer.plain.id }),
      );
    });

    it('403 comes next, for an organisation or a user out of reach', async () => {
      const whole = addressed().filter(({ path }) => !/:(?!organisationId|userId)\w+/.test(path));
      for (const { client } of [stranger.plain, stranger.custadmin]) {
        await expectStatus(whole, 403, (route) =>
          call(route, client, { organisationId: customer.organisationId, userId: customer.plain.id }),
        );
      }
    });

    it('500 ROLE_REQUIRED comes next, and 400 for the body last', async () => {
      const changing = addressed().filter(({ operation }) =>
        ['organisations.update', 'users.update', 'users.setEnabled'].includes(operation ?? ''),
      );
      const ids = { organisationId: customer.organisationId, userId: customer.custadmin.id };
      await expectStatus(changing, 500, (route) => call(route, customer.plain.client, ids));
      await expectStatus(changing, 400, (route) => call(route, admin, ids));
    });
  });

  describe('methods', () => {
    it('HEAD /organisations/{organisationId} answers like GET, without a body', async () => {
      const response = await request(service.url)
        .head(`/v1/organisations/${customer.organisationId}`)
        .set('Authorization', admin.hash as string)
        .expect(200);
      expect(response.text).toBeUndefined();
      await request(service.url).head('/v1/organisations/1').expect(401);
    });

    it('OPTIONS of every path is 204 with its methods in Allow, without a credential, a record or a header of CORS', async () => {
      const paths = [...new Set(description.routes.map(({ path }) => path))];
      for (const path of [...paths, '/docs', '/docs/openapi.json', '/docs/swagger-ui.css']) {
        const target = path.replaceAll(/:\w+/g, '999999999');
        const served = description.routes
          .filter((route) => new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(target))
          .map(({ method }) => method);
        if (served.includes('ALL')) continue;
        const methods = path.startsWith('/docs') ? ['GET'] : served;
        const allowed = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort();
        for (const written of [target, `${target}/`, `/${target}?a=b`]) {
          const { status, headers, text } = await request(service.url).options(written);
          const named = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
          expect({ written, status, allow: headers['allow'], text, named }).toEqual({
            written,
            status: 204,
            allow: allowed.join(', '),
            text: '',
            named: [],
          });
          expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
        }
      }
    });

    it('OPTIONS of an unknown path is 404', async () => {
      for (const path of [
        '/',
        '/nowhere',
        '/v1',
        '/v1/nowhere',
        '/v1/organisations/1/nowhere',
        '/docs/nowhere',
      ])
        expect([path, (await request(service.url).options(path)).status]).toEqual([path, 404]);
    });

    it('OPTIONS /organisations/{organisationId} is 204 with a wrong credential, a wrong header or a body too', async () => {
      const test = request(service.url)
        .options('/v1/organisations/1')
        .set('Authorization', 'f'.repeat(64))
        .set('Content-Type', 'text/xml')
        .set('Idempotency-Key', '')
        .set('If-Match', 'x')
        .send('<a/>');
      expect((await test.expect(204)).headers['allow']).toBe('DELETE, GET, HEAD, PATCH, PUT');
    });
  });

  describe('bodies', () => {
    it.each([
      ['a form', 415, 'name=x', 'application/x-www-form-urlencoded'],
      ['xml', 415, '<name/>', 'text/xml'],
      ['another character set', 415, '{}', 'application/json; charset=latin1'],
      ['UTF-7', 415, '{}', 'application/json; charset=utf-7'],
      ['UTF-16', 415, '{}', 'application/json; charset=UTF-16'],
      ['UTF-32', 415, '{}', 'application/json; charset="utf-32"'],
      ['two character sets', 415, '{}', 'application/json; charset=utf-8; charset=utf-7'],
      ['broken JSON', 400, '{"name": ', 'application/json'],
      ['two documents', 400, '{} {}', 'application/json'],
      ['an array', 400, '[]', 'application/json'],
      ['a text', 400, '"x"', 'application/json'],
      ['5,000 nested arrays', 400, '['.repeat(5000) + ']'.repeat(5000), 'application/json'],
      ['5,000 nested objects', 400, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 'application/json'],
      ['5,000 unclosed arrays', 400, '['.repeat(5000), 'application/json'],
      ['over 100 kB', 413, JSON.stringify({ name: 'x'.repeat(103_000) }), 'application/json'],
      ['more than 5,000 objects', 413, `{"x":[${Array(5000).fill('{}').join()}]}`, 'application/json'],
      ['more than 5,000 members', 413, `{"x":[1${',1'.repeat(5000)}]}`, 'application/json'],
      ['nothing', 400, '', 'application/json'],
    ])('POST /organisations: a body of %s is %i', async (_, status, text, type) => {
      const response = await sendText('/organisations', text, type);
      expect({ status: response.status, code: (response.body as { code: number }).code }).toEqual({
        status,
        code: status,
      });
    });

    it('POST /organisations: a body that is no UTF-8 is 400 MALFORMED_JSON, and nothing is stored', async () => {
      const name = `Broken ${nextNumber()}`;
      const [before, after] = `{"name":"${name}|","taxNumber":"x"}`.split('|');
      const response = await request(service.url)
        .post('/v1/organisations')
        .set('Authorization', admin.hash as string)
        .set('Content-Type', 'application/json')
        .serialize((body) => body as string)
        .send(Buffer.concat([Buffer.from(before ?? ''), Buffer.from([0xff]), Buffer.from(after ?? '')]));
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code: 400, reason: 'MALFORMED_JSON' });
      expect(await service.sql('SELECT 1 FROM organisations WHERE name LIKE $1', [`${name}%`])).toEqual([]);
    });

    it('POST /organisations: a body of 5,000 values is read, and a comma in a text makes no value', async () => {
      const text = JSON.stringify({
        name: 'x',
        taxNumber: 'y',
        ignored: [','.repeat(20_000), ...Array(4995).fill(1)],
      });
      expect((await sendText('/organisations', text, 'application/json')).status).toBe(201);
    });

    it('POST /organisations: a body just under 100 kB is read', async () => {
      const text = JSON.stringify({ name: 'x', taxNumber: 'y', ignored: 'z'.repeat(100_000) });
      expect((await sendText('/organisations', text)).status).toBe(201);
    });

    it('POST /organisations: a body is read with a charset, with a +json type and without a type', async () => {
      const text = JSON.stringify({ name: 'ünï', taxNumber: 'y' });
      for (const type of [
        'application/json; charset=utf-8',
        'application/json;charset=UTF8',
        'application/json; charset="Utf-8"; a=b',
        'application/json; Charset = us-ascii',
        'application/json; charset=',
        'application/vnd.api+json',
        'application/vnd.api+json; charset=utf8',
      ]) {
        const response = await sendText('/organisations', text, type);
        expect(response.body).toMatchObject({ organisation: { name: 'ünï' } });
      }
      const bare = await fetch(`${service.url}/v1/organisations`, {
        method: 'POST',
        headers: { Authorization: admin.hash as string },
        body: Buffer.from(text),
      });
      expect(await bare.json()).toMatchObject({ organisation: { name: 'ünï' } });
    });

    it('POST /login and GET: Content-Type of an absent body may name any charset, and 401 comes before 415', async () => {
      const type = 'application/json; charset=utf-7';
      await admin.get('/organisations/1').set('Content-Type', type).expect(200);
      await request(service.url).post('/v1/login').set('Content-Type', type).expect(400);
      // 401, 404 and 403 come first.
      await request(service.url).post('/v1/organisations').set('Content-Type', type).send('{}').expect(401);
    });

    it('POST /organisations: __proto__ and constructor in a body change no other object', async () => {
      const text =
        '{"name":"x","taxNumber":"y","__proto__":{"street":"polluted"},"constructor":{"prototype":{"a":1}}}';
      const response = await sendText('/organisations', text);
      expect(response.body).toMatchObject({ organisation: { street: '' } });
      expect(({} as { street?: string }).street).toBeUndefined();
    });

    it('GET and DELETE /organisations/{organisationId} with Content-Type: application/json need no body', async () => {
      await admin.get('/organisations/1').set('Content-Type', 'application/json').expect(200);
      await admin
        .delete(`/organisations/${await makeOrganisation(service)}`)
        .set('Content-Type', 'application/json')
        .expect(204);
    });
  });

  describe('paths', () => {
    const IDENTIFIERS = [
      '99999999999',
      '2147483648',
      '-1',
      '0',
      '1e3',
      '1.0',
      '01',
      '%31%20',
      '%00',
      '%2f',
      '%2e%2e',
      '%',
      '%zz',
      '%ff',
      '+1',
      "1'--",
      '١',
      'x'.repeat(2000),
    ];
    it.each(IDENTIFIERS.map((id) => [id.slice(0, 20), id] as const))(
      'GET /organisations/%s is 404, as is a user with this identifier',
      async (_, id) => {
        for (const path of [`/v1/organisations/${id}`, `/v1/organisations/1/users/${id}`]) {
          const { status, body } = await getRaw(encodeURI(path).replaceAll('%25', '%'));
          expect({ id, status, code: (JSON.parse(body) as { code: number }).code }).toEqual({
            id,
            status: 404,
            code: 404,
          });
        }
      },
    );

    it('GET /organisations: a malformed query is 200 or 400', async () => {
      for (const query of [
        'limit=1&limit=2',
        'limit[]=1',
        'filter=%00',
        'filter=%ed%a0%80',
        'filter=%zz',
        '__proto__=1',
        'orderBy=__proto__',
      ]) {
        const { status } = await getRaw(`/v1/organisations?${query}`);
        expect({ query, ok: status === 200 || status === 400 }).toEqual({ query, ok: true });
      }
    });
  });

  describe('headers', () => {
    it('X-Request-Id of an answer is made by the service, whatever X-Request-Id is sent', async () => {
      for (const given of ['abc-1.2_3', 'a b', 'x'.repeat(65), '<script>']) {
        const { headers } = await admin.get('/whoami').set('X-Request-Id', given).expect(200);
        expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      }
      expect(service.logLines.some((line) => line.includes('abc-1.2_3'))).toBe(false);
    });

    it('Cache-Control, X-Frame-Options and their like keep answers out of caches, frames and sniffers', async () => {
      for (const path of ['/v1/whoami', '/v1/nowhere', '/health/live']) {
        const { headers } = await request(service.url).get(path);
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'content-security-policy': "default-src 'none';frame-ancestors 'none'",
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
        });
        expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
        expect(headers['x-powered-by']).toBeUndefined();
        expect(headers['etag']).toBeUndefined();
      }
    });

    it('Access-Control-Allow-Origin names an origin of CORS_ORIGINS, and no other', async () => {
      const origin = 'https://panel.example';
      const none = await request(service.url).options('/v1/whoami').set('Origin', origin);
      expect(none.headers['access-control-allow-origin']).toBeUndefined();
      await using open = await startTestService(variant, {
        settings: { corsOrigins: [origin] },
        database: service.database,
      });
      const allowed = 'authorization,content-type,idempotency-key,if-match,if-none-match';
      const preflight = await request(open.url)
        .options('/v1/organisations/1')
        .set('Origin', origin)
        .set('Access-Control-Request-Method', 'PATCH')
        .set('Access-Control-Request-Headers', allowed)
        .expect(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': expect.stringContaining('PATCH') as string,
        'access-control-allow-headers': allowed,
        'access-control-max-age': '7200',
        allow: 'DELETE, GET, HEAD, PATCH, PUT',
      });
      await request(open.url).options('/v1/nowhere').set('Origin', origin).expect(404);
      const documents = await request(open.url).options('/docs/openapi.json').set('Origin', origin);
      expect([documents.status, documents.headers['access-control-allow-origin']]).toEqual([204, origin]);
      const response = await request(open.url).get('/v1/whoami').set('Origin', origin).expect(401);
      expect(response.headers['access-control-allow-origin']).toBe(origin);
      expect(response.headers['access-control-max-age']).toBeUndefined();
      for (const header of ['Link', 'Idempotency-Replayed', 'ETag']) {
        expect(response.headers['access-control-expose-headers']).toContain(header);
      }
      const foreign = await request(open.url).get('/v1/whoami').set('Origin', 'https://evil.example');
      expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    });
  });
});

describeService(VARIANTS, 'every path in Variant %s', (service, variant) => {
  it('answers 405 to a method that it lacks, and names those that it has in Allow', async () => {
    const admin = await asAdmin(service);
    const description = await Interface.of(service);
    const paths = [...new Set(description.routes.map(({ path }) => path))];
    for (const path of paths) {
      const target = path.replace(/^\/v1/, '').replaceAll(/:\w+/g, '1');
      // `…/passkeys/options` has the methods of `…/passkeys/:passkeyId` too.
      const served = description.routes
        .filter((route) =>
          new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(servedPath(target)),
        )
        .map(({ method }) => method);
      const allowed = [...new Set([...served, ...(served.includes('GET') ? ['HEAD'] : [])])].sort();
      for (const method of VERBS.filter((verb) => !served.includes(verb))) {
        if (NOT_FOUND[variant].includes(`${method} ${path}`)) continue;
        const { status, headers } = await admin.call(method.toLowerCase() as 'get', target);
        expect({ path, method, status, allow: headers['allow'] }).toEqual({
          path,
          method,
          status: 405,
          allow: allowed.join(', '),
        });
      }
    }
  });
});

describeService(['A'], 'GET /whoami', (service) => {
  it('ends when its client goes, also the requests that the client sent ahead', async () => {
    const { plain } = await makeCustomer(service);
    const { hostname, port } = new URL(service.url);
    const aborted = (): number => service.logLines.filter((line) => line.includes('"aborted":true')).length;
    await using holder = await transactionBeside(service);
    await holder.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const sent = `GET /v1/whoami HTTP/1.1\r\nHost: x\r\nAuthorization: ${plain.client.hash}\r\n\r\n`;
    socket.write(sent.repeat(5));
    await untilBlocked(service, new Promise(() => undefined));
    socket.resetAndDestroy();
    await until(() => aborted() === 5);
    await holder.query('ROLLBACK');
    await plain.client.get('/whoami').expect(200);
    expect(aborted()).toBe(5);
  });
});

describeService(['A'], 'pipelined GET /health/ready', (service) => {
  it('are answered in their order, and more than sixteen unanswered ones end their connection', async () => {
    const { hostname, port } = new URL(service.url);
    const received = async (requests: number): Promise<string> => {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
      let text = '';
      socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
      const asked = Array.from({ length: requests }, (_, index) => {
        const path = index % 2 === 0 ? '/health/ready' : '/nothing';
        return `GET ${path} HTTP/1.1\r\nHost: x\r\n${index === requests - 1 ? 'Connection: close\r\n' : ''}\r\n`;
      });
      socket.write(asked.join(''));
      await once(socket, 'close');
      return text;
    };
    const statuses = [...(await received(16)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? '200' : '404')));
    expect(await received(40)).toBe('');
  });
});

describeService(['A'], 'connections', (service) => {
  it('GET /health/live: a connection beyond maxConnections is closed at once', async () => {
    const server = service.app.getHttpServer();
    const { maxConnections } = server;
    const { hostname, port } = new URL(service.url);
    const open = (): Promise<Socket | undefined> => {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
      return new Promise((resolve) => {
        socket.once('close', () => resolve(undefined)).once('data', () => resolve(socket));
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      });
    };
    const held: (Socket | undefined)[] = [];
    server.maxConnections = 8;
    try {
      for (let count = 0; count < 20; count++) held.push(await open());
      expect(held.at(-1)).toBeUndefined();
      held.find((socket) => socket !== undefined)?.destroy();
      await until(async () => {
        const again = await open();
        held.push(again);
        return again !== undefined;
      });
    } finally {
      server.maxConnections = maxConnections;
      for (const socket of held) socket?.destroy();
    }
  });

  it('POST …/teams: a client that goes before its address is read leaves no audit row without an address', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const { hostname, port } = new URL(service.url);
    const name = `Gone ${nextNumber()}`;
    const body = JSON.stringify({ name });
    const sent =
      `POST /v1/organisations/${organisationId}/teams HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: ${custadmin.client.hash}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    for (let count = 0; count < 10; count++) {
      const socket = connect({ host: hostname, port: Number(port) });
      await once(socket, 'connect');
      // Written and reset before the service, in this same process, can look at the connection.
      socket.write(sent);
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    // One that waits for its answer comes behind them.
    await custadmin.client
      .post(`/organisations/${organisationId}/teams`, { name: `Last ${name}` })
      .expect(201);
    const rows =
      await service.sql`SELECT DISTINCT address FROM audit_log WHERE after ->> 'name' LIKE ${`%${name}`}`;
    expect(rows).toEqual([{ address: '127.0.0.1' }]);
  });
});

describe('sixty calls a minute without a valid credential from one address', () => {
  const service = useService('A', { settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] } });
  let admin: ApiClient;

  beforeAll(async () => (admin = await asAdmin(service)));

  const statusFrom = async (address: string, path: string, hash?: string): Promise<number> => {
    const call = request(service.url).get(path).set('X-Forwarded-For', address);
    return (await (hash === undefined ? call : call.set('Authorization', hash))).status;
  };

  const ALLOWED = 60;

  it.each([
    ['/v1/whoami', 'no credential', 401],
    ['/v1/organisations/1/users', 'an unknown credential', 401],
    ['/docs', 'no credential', 200],
    ['/docs/openapi.json', 'no credential', 200],
    ['/metrics', 'no credential', 200],
  ])(
    'GET %s with %s is answered sixty times, then 429 TOO_MANY_ATTEMPTS',
    async (path, credential, status) => {
      const hash = credential === 'no credential' ? undefined : 'made-up';
      const address = `192.0.2.${nextNumber() % 256}`;
      const first = await Promise.all(Array.from({ length: ALLOWED }, () => statusFrom(address, path, hash)));
      expect(first).toEqual(Array(ALLOWED).fill(status));
      const refused = await request(service.url)
        .get(path)
        .set('X-Forwarded-For', address)
        .set('Authorization', hash ?? '')
        .expect(429);
      expect(refused.body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(await statusFrom('198.51.100.1', '/health/ready')).toBe(200);
    },
  );

  it('GET /whoami, /docs and /metrics with a valid credential are 200 when they are used up', async () => {
    const address = '203.0.113.9';
    for (let calls = 0; calls < ALLOWED; calls++) await statusFrom(address, '/v1/whoami', 'made-up');
    const others = ['/v1/whoami', '/docs', '/docs/openapi.json', '/metrics'];
    for (const path of others)
      expect([path, await statusFrom(address, path, 'made-up')]).toEqual([path, 429]);
    for (const path of others)
      expect([path, await statusFrom(address, path, admin.hash)]).toEqual([path, 200]);
    expect(await statusFrom(address, '/health/ready')).toBe(200);
    const login = (body?: object) => admin.post('/login', body).set('X-Forwarded-For', address);
    // Old clients ask in this way whose credential they have.
    await login().expect(200);
    await login({}).expect(200);
    // A body is a guess, whatever credential comes with it.
    await login({ username: ADMIN.username, password: ADMIN.password }).expect(429);
  });
});

describeService(VARIANTS, 'GET /docs/openapi.json in Variant %s', (service) => {
  it('has an ETag, and is 304 to a client that has this version', async () => {
    const path = '/docs/openapi.json';
    const whole = await request(service.url).get(path).expect(200);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^"[\w-]+"$/) as string,
    });
    const tag = String(whole.headers['etag']);
    const spared = await request(service.url).get(path).set('If-None-Match', tag).expect(304);
    expect(spared.text).toBe('');
    await request(service.url).get(path).set('If-None-Match', '"other"').expect(200);
    const head = await request(service.url).head(path).expect(200);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });
});
