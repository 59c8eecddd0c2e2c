import { connect } from 'node:net';
import request from 'supertest';
import { introspection } from '../../qa/responses';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
} from '../support/factories/factories';
import { makeApiKey, makeServiceKey } from '../support/factories/key-factories';
import { suspend } from '../support/factories/suspensions-factories';
import { Wire } from '../support/generators/access-calls';
import { auditRows } from '../support/service/audit';
import { ApiClient, asAdmin } from '../support/service/client';
import { startTestService, useService } from '../support/service/service';
import { makeOlder } from '../support/service/time';
import { until } from '../support/service/until';

const service = useService('A', {
  settings: { trustedProxies: ['127.0.0.1'], corsOrigins: ['https://panel.example'] },
});
let admin: ApiClient;
beforeAll(async () => {
  admin = await asAdmin(service);
});
let neighbour: ApiClient;
beforeAll(async () => {
  const key = await makeServiceKey(service, 1, { operations: ['access.introspect'], asAdmin: true });
  neighbour = key.client;
});

const INACTIVE = { active: false };

const introspect = async (
  token: string | undefined,
  fields: object = {},
): Promise<Record<string, unknown>> => {
  const response = await neighbour.post('/access/introspect', { token, ...fields }).expect(200);
  expect(response.headers['cache-control']).toBe('no-store');
  return response.body as Record<string, unknown>;
};

describe('introspection', () => {
  it('tells of a login whose it is', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const found = await introspect(custadmin.client.hash);
    expect(found).toEqual(
      introspection({
        sub: String(custadmin.id),
        username: custadmin.username,
        organisationId,
        roles: ['ROLE_CUSTADMIN'],
        iat: expect.any(Number) as number,
        exp: expect.any(Number) as number,
      }),
    );
    const [login] = await service.sql<{ iat: number; exp: number }>`
      SELECT floor(extract(epoch FROM created_at))::float8 AS iat, floor(extract(epoch FROM expires_at))::float8 AS exp
      FROM logins WHERE user_id = ${custadmin.id}`;
    expect(found).toMatchObject(login as object);
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${custadmin.id}`;
    expect(await introspect(custadmin.client.hash)).toMatchObject({ secondFactor: true });
    // Whoever asks may ask about its own credential.
    expect(await introspect(neighbour.hash)).toMatchObject({ token_type: 'service_key', roles: [] });
  });

  it('tells of keys what they are, and of a service key what it is for', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const reading = await makeApiKey(service, plain.id, { readOnly: true });
    expect(await introspect(reading.client.hash)).toMatchObject({
      active: true,
      token_type: 'api_key',
      sub: String(plain.id),
      roles: [],
      readOnly: true,
    });
    const { id, client } = await makeServiceKey(service, organisationId, { operations: ['contacts.*'] });
    expect(await introspect(client.hash)).toEqual({
      ...introspection({
        token_type: 'service_key',
        sub: `servicekey:${id}`,
        username: `servicekey:${id}`,
        organisationId,
        iat: expect.any(Number) as number,
        exp: expect.any(Number) as number,
      }),
      operations: ['contacts.*'],
    });
  });

  it.each([
    ['unknown', () => Promise.resolve('f'.repeat(64))],
    ['of another form', () => Promise.resolve('no token')],
    ['with a prefix', ({ client }: MadeUser) => Promise.resolve(`Bearer ${client.hash}`)],
    ['longer than any', () => Promise.resolve('f'.repeat(5000))],
    ['with a NUL', () => Promise.resolve('f\0f')],
    [
      'logged out',
      async ({ client }: MadeUser) => {
        await client.post('/logout').expect(204);
        return client.hash;
      },
    ],
    [
      'of a login that was not used for too long',
      async ({ id, client }: MadeUser) => {
        await makeOlder(service, 'logins', { user_id: id }, '8 days', ['last_used_at']);
        return client.hash;
      },
    ],
    [
      'of a disabled user',
      async ({ id, client }: MadeUser) => {
        await service.sql`UPDATE users SET enabled = false WHERE id = ${id}`;
        return client.hash;
      },
    ],
    [
      'of a suspended organisation',
      async ({ organisationId, client }: MadeUser) => {
        await suspend(admin, organisationId);
        return client.hash;
      },
    ],
    [
      'of a deleted organisation',
      async ({ organisationId, client }: MadeUser) => {
        await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
        await admin.delete(`/organisations/${organisationId}`).expect(204);
        return client.hash;
      },
    ],
    [
      'an expired key',
      async ({ id }: MadeUser) => (await makeApiKey(service, id, { expiresIn: '-1 second' })).client.hash,
    ],
    [
      'an expired service key',
      async ({ organisationId }: MadeUser) =>
        (await makeServiceKey(service, organisationId, { expiresIn: '-1 second' })).client.hash,
    ],
  ])('says nothing of a token that is %s', async (_, tokenOf) => {
    const { plain } = await makeCustomer(service);
    expect(await introspect(await tokenOf(plain))).toEqual(INACTIVE);
  });

  it('judges a whitelist on the address that is told, and on none', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const whitelist = ['192.0.2.0/24'];
    for (const { client } of [
      await makeApiKey(service, plain.id, { whitelist }),
      await makeServiceKey(service, organisationId, { whitelist }),
    ]) {
      expect(await introspect(client.hash, { address: '192.0.2.7' })).toMatchObject({ active: true });
      expect(await introspect(client.hash, { address: '::ffff:192.0.2.7' })).toMatchObject({ active: true });
      expect(await introspect(client.hash, { address: '127.0.0.1' })).toEqual(INACTIVE);
      expect(await introspect(client.hash)).toEqual(INACTIVE);
      expect(await introspect(client.hash, { address: '' })).toEqual(INACTIVE);
    }
  });

  it('takes a form as RFC 7662 sends it', async () => {
    const { plain } = await makeCustomer(service);
    const form = (text: string) =>
      request(service.url)
        .post('/v1/access/introspect')
        .set('Authorization', `Bearer ${neighbour.hash}`)
        .set('Content-Type', 'application/x-www-form-urlencoded')
        .send(text);
    const found = await form(
      `token=${plain.client.hash}&token_type_hint=access_token&address=192.0.2.1`,
    ).expect(200);
    expect(found.body).toMatchObject({ active: true, sub: String(plain.id) });
    for (const text of ['', 'token=', 'token_type_hint=x', 'token=a&token=b', 'token=a&address=here'])
      await form(text).expect(400);
    // Clients of OAuth send their own identifier and secret along.
    await form(`token=${plain.client.hash}&client_id=dns&client_secret=x&__proto__=x`).expect(200);
    await form(`token=${'a'.repeat(200_000)}`).expect(413);
    const wrongType = await request(service.url)
      .post('/v1/access/introspect')
      .set('Authorization', `Bearer ${neighbour.hash}`)
      .set('Content-Type', 'text/plain')
      .send('token=x')
      .expect(415);
    expect((wrongType.body as { message: string }).message).toBe(
      'The body should be application/json or application/x-www-form-urlencoded',
    );
    for (const [charset, status] of [
      ['utf8', 200],
      ['US-ASCII', 200],
      ['iso-8859-1', 415],
      ['utf-7', 415],
    ] as const)
      await form(`token=${plain.client.hash}`)
        .set('Content-Type', `application/x-www-form-urlencoded; charset=${charset}`)
        .expect(status);
    // Other routes take no form.
    await request(service.url)
      .post('/v1/organisations')
      .set('Authorization', admin.hash as string)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send('name=Bakkerij')
      .expect(415);
  });

  describe('by HTTP Basic', () => {
    const basic = (text: string, scheme = 'Basic'): string =>
      `${scheme} ${Buffer.from(text).toString('base64')}`;
    const ask = (authorization: string, token: string | undefined, url = service.url) =>
      request(url)
        .post('/v1/access/introspect')
        .set('Authorization', authorization)
        .type('form')
        .send({ token });

    it.each(['dns', '', 'müller', 'f'.repeat(64)])('takes the hash as the password of %j', async (name) => {
      const { plain } = await makeCustomer(service);
      for (const scheme of ['Basic', 'basic']) {
        const { body } = await ask(basic(`${name}:${neighbour.hash}`, scheme), plain.client.hash).expect(200);
        expect(body).toMatchObject({ active: true, sub: String(plain.id) });
      }
      await ask(basic(`${name}:${plain.client.hash}`), plain.client.hash).expect(500);
    });

    it('refuses everything else as it does without', async () => {
      const { plain } = await makeCustomer(service);
      const hash = neighbour.hash as string;
      for (const authorization of [
        basic(`dns:${'f'.repeat(64)}`),
        basic(`${hash}:`),
        basic(hash),
        basic(`${hash}:dns`),
        basic(`dns:${hash}:x`),
        basic(`dns: ${hash}x`),
        basic(''),
        'Basic',
        `Basic ${hash}`,
        `Basic ${basic(`dns:${hash}`)}`,
        basic(`dns:${hash}`, 'Digest'),
      ]) {
        const answer = await ask(authorization, plain.client.hash).expect(401);
        expect(answer.body).toMatchObject({ reason: 'UNAUTHORISED' });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    });

    it('is for introspection alone', async () => {
      const authorization = basic(`admin:${admin.hash}`);
      for (const path of ['/v1/whoami', '/v1/access/forward', '/v1/organisations'])
        await request(service.url).get(path).set('Authorization', authorization).expect(401);
      await request(service.url)
        .post('/v1/organisations')
        .set('Authorization', authorization)
        .send({ name: 'Bakkerij' })
        .expect(401);
    });

    it('counts as the other way: whitelist, last use, refused attempts and log', async () => {
      const { plain } = await makeCustomer(service);
      const key = await makeServiceKey(service, 1, {
        operations: ['access.introspect'],
        asAdmin: true,
        whitelist: ['192.0.2.0/24'],
      });
      const hash = key.client.hash as string;
      const denied = await ask(basic(`dns:${hash}`), plain.client.hash).expect(403);
      expect(denied.body).toMatchObject({ reason: 'ADDRESS_REFUSED' });
      await ask(basic(`dns:${hash}`), plain.client.hash)
        .set('X-Forwarded-For', '192.0.2.7')
        .expect(200);
      await until(async () => {
        const [used] = await service.sql<{ used: boolean }>`
          SELECT last_used_at IS NOT NULL AS used FROM service_keys WHERE id = ${key.id}`;
        return used?.used === true;
      });
      await using limited = await startTestService('A', {
        settings: { rateLimit: true, trustedProxies: ['127.0.0.1'] },
        database: service.database,
      });
      const wrong = basic(`dns:${'e'.repeat(64)}`);
      const statuses: number[] = [];
      for (let guess = 0; guess < 61; guess++) {
        const test = ask(guess % 2 === 0 ? wrong : 'e'.repeat(64), plain.client.hash, limited.url);
        statuses.push((await test.set('X-Forwarded-For', '192.0.2.99')).status);
      }
      expect(statuses).toEqual([...Array<number>(60).fill(401), 429]);
      const right = ask(basic(`dns:${hash}`), plain.client.hash, limited.url);
      await right.set('X-Forwarded-For', '192.0.2.99').expect(200);
      for (const { logLines } of [service, limited]) {
        expect(logLines.join('')).not.toContain(hash);
        expect(logLines.join('')).not.toContain(basic(`dns:${hash}`).slice(6));
      }
    });
  });

  it('ignores parameters that it does not know, under STRICT_BODY too', async () => {
    await using strict = await startTestService('A', {
      settings: { strictBody: true },
      database: service.database,
    });
    const client = new ApiClient(strict.url, neighbour.hash);
    const { plain } = await makeCustomer(service);
    const token = plain.client.hash;
    const known = { token, client_id: 'dns', client_secret: 'x', scope: ['a'] };
    expect((await client.post('/access/introspect', known).expect(200)).body).toMatchObject({ active: true });
    await request(strict.url)
      .post('/v1/access/introspect')
      .set('Authorization', neighbour.hash as string)
      .type('form')
      .send({ token, client_id: 'dns', client_secret: 'x' })
      .expect(200);
    const { body } = await client.post('/access/introspect', { client_id: 'dns' }).expect(400);
    expect((body as { reasons: object }).reasons).toEqual({ token: ['REQUIRED'] });
  });

  it('is an operation of keys of the operator alone, which an admin makes', async () => {
    const { plain } = await makeCustomer(service);
    const { body } = await admin
      .post(`/organisations/${plain.organisationId}/servicekeys`, {
        name: 'n',
        operations: ['access.introspect'],
      })
      .expect(400);
    expect(body).toMatchObject({ reasons: { operations: ['OPERATION_NOT_ALLOWED'] } });
    const operator = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    await operator.client
      .post('/organisations/1/servicekeys', { name: 'n', operations: ['access.*'] })
      .expect(400);
    await admin
      .post('/organisations/1/servicekeys', { name: 'n', operations: ['access.introspect'] })
      .expect(201);
  });

  it('lets nobody in by the token in the body', async () => {
    const { plain } = await makeCustomer(service);
    for (const token of [admin.hash, neighbour.hash]) {
      await new ApiClient(service.url).post('/access/introspect', { token }).expect(401);
      await new ApiClient(service.url, 'f'.repeat(64)).post('/access/introspect', { token }).expect(401);
      await plain.client.post('/access/introspect', { token }).expect(500);
    }
  });

  it('is a use of the token, and leaves it nowhere', async () => {
    const { plain } = await makeCustomer(service);
    await makeOlder(service, 'logins', { user_id: plain.id }, '1 day', ['last_used_at']);
    const token = plain.client.hash as string;
    await introspect(token);
    await neighbour.post('/access/introspect', { token, address: 'x' }).expect(400);
    await neighbour.post('/access/introspect', { token: [token] }).expect(400);
    await plain.client.post('/access/introspect', { token }).expect(500);
    await until(async () => {
      const [login] = await service.sql<{ used: boolean }>`
        SELECT last_used_at > now() - interval '1 minute' AS used FROM logins WHERE user_id = ${plain.id}`;
      return login?.used === true;
    });
    expect(service.logLines.join('')).not.toContain(token);
    expect(JSON.stringify(await auditRows(service, 'true'))).not.toContain(token);
  });
});

const EMPTY_USER = { 'x-account-user': '', 'x-account-roles': '' };

describe('forward-auth', () => {
  let wire: Wire;
  beforeAll(() => (wire = new Wire(service.url)));
  afterAll(() => wire.close());

  const forward = (
    hash: string | undefined,
    query = '',
    headers: Record<string, string> = {},
    method = 'GET',
  ) => wire.send({ method, path: `/v1/access/forward${query}`, hash, headers });

  const passed = (client: ApiClient, query = '') => client.get(`/access/forward${query}`).expect(204);

  it('tells of a user who it is', async () => {
    const username = 'zoë+1@user.example';
    const organisationId = await makeOrganisation(service);
    const { id, client } = await makeUser(service, {
      organisationId,
      roles: ['ROLE_MAIL', 'ROLE_APP'],
      username,
    });
    const response = await passed(client);
    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({
      'x-account-user': String(id),
      'x-account-service-key': '',
      'x-account-username': 'zo%C3%AB%2B1%40user.example',
      'x-account-organisation': String(organisationId),
      'x-account-roles': 'ROLE_MAIL,ROLE_APP',
      'x-account-credential': 'login',
      'x-account-read-only': 'false',
      'cache-control': 'no-store',
    });
  });

  it('tells of a service key and of a read-only key what they are', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const key = await makeServiceKey(service, organisationId);
    expect((await passed(key.client)).headers).toMatchObject({
      ...EMPTY_USER,
      'x-account-service-key': String(key.id),
      'x-account-credential': 'service_key',
      'x-account-username': encodeURIComponent(`servicekey:${key.id}`),
      'x-account-read-only': 'false',
    });
    const reading = await makeApiKey(service, plain.id, { readOnly: true });
    expect((await passed(reading.client)).headers).toMatchObject({
      'x-account-user': String(plain.id),
      'x-account-credential': 'api_key',
      'x-account-read-only': 'true',
    });
  });

  it.each([
    [204, 'GET', {}],
    [204, 'OPTIONS', {}],
    [204, 'POST', { 'x-forwarded-method': 'GET' }],
    [204, 'GET', { 'x-original-method': 'HEAD' }],
    [204, 'GET', { 'x-forwarded-method': '', 'x-original-method': 'OPTIONS' }],
    [403, 'POST', {}],
    [403, 'PROPFIND', {}],
    [403, 'GET', { 'x-forwarded-method': 'DELETE' }],
    [403, 'GET', { 'x-original-method': 'PATCH' }],
    [403, 'GET', { 'x-forwarded-method': 'PUT', 'x-original-method': 'GET' }],
    [403, 'GET', { 'x-forwarded-method': 'get' }],
    [403, 'GET', { 'x-forwarded-method': 'GET, POST' }],
    [403, 'GET', { 'x-forwarded-method': 'constructor' }],
  ])('answers %i to a read-only key: %s %j', async (status, method, headers) => {
    const { plain } = await makeCustomer(service);
    const reading = await makeApiKey(service, plain.id, { readOnly: true });
    const answer = await forward(reading.client.hash, '', headers, method);
    expect(answer).toMatchObject({ status, reason: status === 403 ? 'API_KEY_READ_ONLY' : undefined });
    const writing = await makeApiKey(service, plain.id);
    expect((await forward(writing.client.hash, '', headers, method)).status).toBe(204);
  });

  it('asks for one of the roles', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const key = await makeServiceKey(service, organisationId);
    await passed(custadmin.client, '?role=ROLE_ADMIN,ROLE_CUSTADMIN');
    for (const { client } of [plain, key]) {
      const refused = await forward(client.hash, '?role=ROLE_ADMIN,ROLE_CUSTADMIN');
      expect(refused).toMatchObject({ status: 403, reason: 'ROLE_REQUIRED' });
    }
    for (const query of ['role=', 'role=ROLE_KING', 'role=ROLE_ADMIN,', 'role=role_admin', 'role=a&role=b']) {
      expect(await forward(admin.hash, `?${query}`)).toMatchObject({
        status: 400,
        reason: 'VALIDATION_FAILED',
      });
      expect((await forward(undefined, `?${query}`)).status).toBe(401);
    }
  });

  it('asks for an organisation that the credential may read', async () => {
    const { plain, custadmin, organisationId } = await makeCustomer(service);
    const beneath = await makeOrganisation(service, { parentId: organisationId });
    const granting = await makeOrganisation(service);
    await makeGrant(service, granting, organisationId);
    const elsewhere = await makeOrganisation(service);
    const reading = { operations: ['organisations.read'] };
    const narrow = await makeServiceKey(service, organisationId, reading);
    const wide = await makeServiceKey(service, organisationId, { ...reading, beneath: true });
    const without = await makeServiceKey(service, organisationId, { operations: ['users.list'] });
    for (const [client, readable] of [
      [plain.client, [organisationId, granting]],
      [custadmin.client, [organisationId, beneath, granting]],
      [narrow.client, [organisationId]],
      [wide.client, [organisationId, beneath]],
      [without.client, []],
      [admin, [organisationId, beneath, granting, elsewhere]],
    ] as const) {
      const bodies = new Set<string>();
      for (const id of [organisationId, beneath, granting, elsewhere, 999_999]) {
        const { status, text, reason } = await forward(client.hash, `?organisation=${id}`);
        expect({ id, status }).toEqual({
          id,
          status: (readable as readonly number[]).includes(id) ? 204 : 403,
        });
        if (status === 403) {
          expect(reason).toBe('ACCESS_DENIED');
          bodies.add(text.replace(/"requestId":"[^"]*"/, ''));
        }
      }
      expect(bodies.size).toBe(1);
    }
    for (const text of ['', 'x', '0', '-1', '1.5', '99999999999', '1&organisation=2'])
      expect((await forward(admin.hash, `?organisation=${text}`)).status).toBe(400);
  });

  it('asks for a role that counts in the organisation: none by a grant', async () => {
    const { custadmin, plain, organisationId } = await makeCustomer(service);
    const beneath = await makeOrganisation(service, { parentId: organisationId });
    const reading = await makeOrganisation(service);
    const managing = await makeOrganisation(service);
    await makeGrant(service, reading, organisationId);
    await makeGrant(service, managing, organisationId, { access: 'manage' });
    const elsewhere = await makeOrganisation(service);
    await service.sql`UPDATE users SET roles = '{ROLE_CUSTADMIN,ROLE_APP}' WHERE id = ${custadmin.id}`;
    await service.sql`UPDATE users SET roles = '{ROLE_APP}' WHERE id = ${plain.id}`;
    const places = [organisationId, beneath, reading, managing, elsewhere];
    const key = await makeApiKey(service, custadmin.id);
    const serviceKey = await makeServiceKey(service, organisationId, { operations: ['organisations.*'] });
    for (const [client, role, met] of [
      [custadmin.client, 'ROLE_CUSTADMIN', [organisationId, beneath]],
      [key.client, 'ROLE_CUSTADMIN', [organisationId, beneath]],
      [custadmin.client, 'ROLE_APP', [organisationId]],
      [custadmin.client, 'ROLE_APP,ROLE_CUSTADMIN', [organisationId, beneath]],
      [plain.client, 'ROLE_APP', [organisationId]],
      [plain.client, 'ROLE_CUSTADMIN', []],
      [serviceKey.client, 'ROLE_CUSTADMIN', []],
      [admin, 'ROLE_ADMIN,ROLE_APP', places],
      [admin, 'ROLE_CUSTADMIN', []],
    ] as const)
      for (const id of [...places, 999_999]) {
        const { status, reason } = await forward(client.hash, `?organisation=${id}&role=${role}`);
        expect({ role, id, status }).toEqual({
          role,
          id,
          status: (met as readonly number[]).includes(id) ? 204 : 403,
        });
        if (status === 403) expect(['ROLE_REQUIRED', 'ACCESS_DENIED']).toContain(reason);
      }
  });

  it('refuses what does not count, whatever is sent along', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const elsewhere = await makeApiKey(service, plain.id, { whitelist: ['192.0.2.0/24'] });
    const refused = await forward(elsewhere.client.hash, '', { 'x-forwarded-for': '198.51.100.1' });
    expect(refused).toMatchObject({ status: 403, reason: 'ADDRESS_REFUSED' });
    expect((await forward(elsewhere.client.hash, '', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(204);
    const inBody = { 'content-type': 'application/json', 'content-length': '5' };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']) {
      for (const hash of [undefined, '', 'Bearer', 'f'.repeat(64), 'x'.repeat(9000)]) {
        expect((await forward(hash, '', {}, method)).status).toBe(401);
      }
      expect((await forward(plain.client.hash, '', {}, method)).status).toBe(204);
    }
    // A body is not even waited for: five bytes are announced and none comes.
    await expect(
      new Promise((resolve, reject) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
          const lines = Object.entries({ host: 'x', authorization: plain.client.hash, ...inBody });
          socket.write(
            `POST /v1/access/forward HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
          );
        });
        socket.setTimeout(5000, () => reject(new Error('It waits for the body')));
        socket.once('data', (data) => {
          socket.destroy();
          resolve(data.toString().split('\r\n')[0]);
        });
      }),
    ).resolves.toBe('HTTP/1.1 204 No Content');
    await suspend(admin, organisationId);
    expect((await forward(plain.client.hash)).status).toBe(401);
  });

  describe('on one connection', () => {
    /** Sends the second question once the first is answered, and returns all that came. */
    const askTwice = (first: string, second: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(first));
        let text = '';
        socket.setTimeout(5000, () => reject(new Error(`Nothing more came after ${text}`)));
        // The service may reset a connection that goes on after its end.
        socket.on('error', () => undefined);
        socket.on('data', (data) => {
          const answers = (text += data.toString()).split('HTTP/1.1 ').length - 1;
          if (answers === 1 && socket.writable) socket.write(second);
          if (answers === 2) socket.end();
        });
        socket.on('close', () => resolve(text));
      });
    const question = (hash: string | undefined, ...headers: string[]): string =>
      ['GET /v1/access/forward HTTP/1.1', 'Host: x', `Authorization: ${hash}`, ...headers, '', ''].join(
        '\r\n',
      );
    const statusesOf = (text: string) =>
      [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);

    it.each([
      ['a length that a proxy copied', ['Content-Length: 462'], ''],
      ['a chunked body', ['Transfer-Encoding: chunked'], ''],
      ['a chunked body that came', ['Transfer-Encoding: chunked'], '2\r\nab\r\n0\r\n\r\n'],
      ['a body that came', ['Content-Length: 2'], 'ab'],
    ])('ends it after a question with %s, whatever the answer', async (_, headers, body) => {
      const { plain } = await makeCustomer(service);
      for (const [hash, status] of [
        [plain.client.hash, '204'],
        ['f'.repeat(64), '401'],
      ] as const) {
        const text = await askTwice(
          `${question(hash, ...headers)}${body}`,
          question('f'.repeat(64), 'X-Request-Id: second'),
        );
        expect(statusesOf(text)).toEqual([status]);
        expect(text).toMatch(/^connection: close\r$/im);
      }
    });

    it('ends it although the second question came along', async () => {
      const { plain } = await makeCustomer(service);
      const hash = plain.client.hash;
      const second = question(hash);
      const inBody = question(hash, `Content-Length: ${second.length}`);
      expect(statusesOf(await askTwice(`${inBody}${second}`, ''))).toEqual(['204']);
      expect(statusesOf(await askTwice(`${question(hash, 'Content-Length: 2')}ab${second}`, ''))).toEqual([
        '204',
      ]);
    });

    it.each([[[]], [['Content-Length: 0']]])(
      'answers a second question where the first has %j',
      async (headers) => {
        const { plain } = await makeCustomer(service);
        const text = await askTwice(question(plain.client.hash, ...headers), question('f'.repeat(64)));
        expect(statusesOf(text)).toEqual(['204', '401']);
        expect(text).not.toMatch(/^connection: close\r$/im);
      },
    );
  });

  it.each<Record<string, string>>([
    { 'if-none-match': '*' },
    { 'if-none-match': '"1"' },
    { 'if-match': '"1"' },
    { 'if-match': 'no tag' },
    { 'if-modified-since': 'Wed, 21 Oct 2037 07:28:00 GMT' },
    { 'if-unmodified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' },
    { 'if-none-match': '*', 'if-modified-since': 'Wed, 21 Oct 2037 07:28:00 GMT' },
    { 'if-range': '"1"', range: 'bytes=5-' },
    { expect: 'a miracle' },
    { accept: 'text/csv', 'accept-encoding': 'identity;q=0', 'accept-language': '*;q=0' },
    { upgrade: 'websocket', connection: 'Upgrade' },
    { 'content-type': 'x', 'content-encoding': 'zip', 'idempotency-key': 'ä' },
    { 'access-control-request-method': 'PUT', origin: 'https://panel.example' },
    { 'x-forwarded-for': 'nobody', forwarded: 'for=x', 'x-request-id': '', traceparent: 'x' },
  ])('judges the credential whatever the client asks of the answer: %j', async (headers) => {
    const { plain } = await makeCustomer(service);
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) {
      const statuses = [];
      for (const [hash, query] of [
        [plain.client.hash, ''],
        [plain.client.hash, '?role=ROLE_ADMIN'],
        [plain.client.hash, '?role='],
        [undefined, ''],
      ] as const)
        statuses.push((await forward(hash, query, headers, method)).status);
      expect({ method, statuses }).toEqual({ method, statuses: [204, 403, 400, 401] });
    }
  });

  it.each([
    ['role[]=ROLE_CUSTADMIN', 'role[]'],
    ['role%5B0%5D=ROLE_CUSTADMIN', 'role[0]'],
    ['organisation[]=1', 'organisation[]'],
    ['organisation[id]=1', 'organisation[id]'],
    ['Role=ROLE_CUSTADMIN', 'Role'],
    ['ORGANISATION=1', 'ORGANISATION'],
    ['roles=ROLE_CUSTADMIN', 'roles'],
    ['organization=99', 'organization'],
    ['role=ROLE_CUSTADMIN&page=2', 'page'],
    ['__proto__=1', '__proto__'],
    ['=', ''],
  ])('knows no demand but the two: %s', async (query, field) => {
    const { custadmin, plain } = await makeCustomer(service);
    for (const { client } of [custadmin, plain]) {
      const { status, text } = await forward(client.hash, `?${query}`);
      const { errors, reasons } = JSON.parse(text) as {
        errors: { children: Record<string, unknown> };
        reasons: Record<string, unknown>;
      };
      expect({ status, reasons: Object.entries(reasons), fields: Object.keys(errors.children) }).toEqual({
        status: 400,
        reasons: [[field, ['UNKNOWN_PARAMETER']]],
        fields: [field],
      });
    }
    expect((await forward(undefined, `?${query}`)).status).toBe(401);
    for (const nothing of ['?', '?&', '?&&'])
      expect((await forward(custadmin.client.hash, nothing)).status).toBe(204);
  });

  it('counts none of its 401s by address: a proxy asks for everybody', async () => {
    await using limited = await startTestService('A', {
      settings: { rateLimit: true },
      database: service.database,
    });
    const proxy = new Wire(limited.url);
    const { plain } = await makeCustomer(service);
    const calls = [undefined, 'f'.repeat(64)].flatMap((hash) =>
      Array.from({ length: 100 }, () => ({ method: 'GET', path: '/v1/access/forward', hash })),
    );
    const statuses = (await proxy.sendAll(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    // Nor do they use up what others have from that address.
    const whoami = { method: 'GET', path: '/v1/whoami' };
    expect((await proxy.send(whoami)).status).toBe(401);
    expect((await proxy.send({ ...whoami, hash: plain.client.hash })).status).toBe(200);
    // The limit is on: guarded routes have it.
    const others = await proxy.sendAll(Array.from({ length: 80 }, () => whoami));
    expect(others.map(({ status }) => status)).toContain(429);
    proxy.close();
  });

  it('lets hundreds of calls of one proxy through in a minute', async () => {
    const { plain } = await makeCustomer(service);
    const calls = Array.from({ length: 150 }, () => ({
      method: 'GET',
      path: '/v1/access/forward',
      hash: plain.client.hash,
    }));
    const statuses = (await wire.sendAll(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([204]));
    await makeOlder(service, 'logins', { user_id: plain.id }, '1 day', ['last_used_at']);
    await passed(plain.client);
    await until(async () => {
      const [login] = await service.sql<{ used: boolean }>`
        SELECT last_used_at > now() - interval '1 minute' AS used FROM logins WHERE user_id = ${plain.id}`;
      return login?.used === true;
    });
  });
});
