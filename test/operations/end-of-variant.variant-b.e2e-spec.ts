import request, { type Response } from 'supertest';
import type { Settings } from '@app/config/settings';
import { UsageRecorder } from '@app/edge/usage/usage-recorder';
import { type MadeUser, makeCustomer, makeOrganisation, PASSWORD } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { startTestService, useService } from '../support/service/service';

const ORIGIN = 'https://panel.example.com';

const LINK = '<https://api.example/account/docs>; rel="deprecation"';

const DATES = { deprecated: new Date('2027-03-01'), sunset: new Date('2027-06-30') };

const END: Partial<Settings> = {
  variantBEnd: { ...DATES, brownouts: [] },
  publicUrl: 'https://api.example/account',
  corsOrigins: [ORIGIN],
};

const endHeadersOf = ({ headers }: Response) => ({
  deprecation: headers['deprecation'] as unknown,
  sunset: headers['sunset'] as unknown,
  link: headers['link'] as unknown,
});

const NONE = { deprecation: undefined, sunset: undefined, link: undefined };
const ALL = { deprecation: '@1803859200', sunset: 'Wed, 30 Jun 2027 00:00:00 GMT', link: LINK };

describe('a service of Variant B with dates', () => {
  const service = useService('B', { settings: END });
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  it('says them in every response under /v1', async () => {
    const broken = request(service.url).post('/v1/login').set('Content-Type', 'application/json').send('{');
    const responses = await Promise.all([
      admin.get('/whoami').expect(200),
      admin.get('/organisations/1').set('Accept', 'text/csv').expect(200),
      admin.patch('/organisations/1', { name: 'Operator', taxNumber: 'T' }).expect(204),
      anonymous(service).get('/whoami').expect(401),
      anonymous(service).get('/nowhere').expect(404),
      anonymous(service).delete('/login').expect(405),
      anonymous(service).post('/login', { username: 'x' }).expect(400),
      broken.expect(400),
      request(service.url).get('//v1//whoami').expect(401),
      request(service.url).get('/V1/whoami').expect(401),
    ]);
    expect(responses.map(endHeadersOf)).toEqual(responses.map(() => ALL));
  });

  it('lets browsers read them, and says them in preflights', async () => {
    const read = await admin.get('/whoami').set('Origin', ORIGIN).expect(200);
    expect(String(read.headers['access-control-expose-headers']).split(',')).toEqual([
      'ETag',
      'Link',
      'Retry-After',
      'X-Request-Id',
      'Idempotency-Replayed',
      'Deprecation',
      'Sunset',
    ]);
    const preflight = await request(service.url)
      .options('/v1/whoami')
      .set('Origin', ORIGIN)
      .set('Access-Control-Request-Method', 'GET')
      .expect(204);
    expect(endHeadersOf(preflight)).toEqual(ALL);
  });

  it('says nothing outside /v1', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/docs', '/nowhere', '/v1x'])
      expect(endHeadersOf(await request(service.url).get(path))).toEqual(NONE);
  });

  it('keeps the links of a response, first and on one line, and the deprecation of a route', async () => {
    await makeOrganisation(service);
    const page = await admin.get('/organisations?limit=1').expect(200);
    expect(page.headers['link']).toBe(`</account/v1/organisations?limit=1&offset=1>; rel="next", ${LINK}`);
    const old = await anonymous(service).post('/registerInvitation', {}).expect(400);
    expect(endHeadersOf(old)).toEqual({
      deprecation: '@1704067200',
      sunset: ALL.sunset,
      link: `</account/v1/registerInvitation/%7Btoken%7D>; rel="successor-version", ${LINK}`,
    });
  });

  it('stands beside services that say nothing: without dates, and of Variant A with them', async () => {
    const { database } = service;
    await using silent = await startTestService('B', { database, settings: { corsOrigins: [ORIGIN] } });
    await using other = await startTestService('A', { database, settings: END });
    for (const { url } of [silent, other]) {
      const response = await new ApiClient(url, admin.hash).get('/whoami').set('Origin', ORIGIN).expect(200);
      expect(endHeadersOf(response)).toEqual(NONE);
      expect(response.headers['access-control-expose-headers']).toBe(
        'ETag,Link,Retry-After,X-Request-Id,Idempotency-Replayed',
      );
    }
  });
});

describe('a brown-out', () => {
  const minutesFromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
  const service = useService('B', () => ({
    settings: {
      ...END,
      variantBEnd: {
        ...DATES,
        brownouts: [
          { start: minutesFromNow(-1), end: minutesFromNow(10) },
          { start: minutesFromNow(60), end: minutesFromNow(90) },
        ],
      },
    },
  }));
  let parent: { organisationId: number; custadmin: MadeUser };
  let child: { organisationId: number; custadmin: MadeUser };
  beforeAll(async () => {
    parent = await makeCustomer(service);
    child = await makeCustomer(service, { resellerId: parent.organisationId });
  });
  afterEach(() => service.sql`DELETE FROM variant_exemptions`);

  const exempt = (organisationId: number, beneath = false, hours = 24) =>
    service.sql`INSERT INTO variant_exemptions (organisation_id, beneath, ends_at)
      VALUES (${organisationId}, ${beneath}, now() + make_interval(hours => ${hours}))`;

  const statusesOf = async (): Promise<number[]> => {
    const clients = [parent.custadmin.client, child.custadmin.client];
    return (await Promise.all(clients.map((client) => client.get('/whoami')))).map(({ status }) => status);
  };

  it('refuses calls under /v1, with its end', async () => {
    const { client } = parent.custadmin;
    const responses = await Promise.all([
      client.get('/whoami'),
      client.get('/nowhere'),
      client.delete('/whoami'),
      client.patch(`/organisations/${parent.organisationId}`, { name: 'Other', taxNumber: 'T' }),
      anonymous(service).get('/login'),
      anonymous(service).get('/whoami'),
      anonymous(service).get('/nowhere'),
      new ApiClient(service.url, 'no credential').get('/whoami'),
      request(service.url)
        .post('/v1/resetting/reset_password')
        .set('Content-Type', 'application/json')
        .send('{'),
      request(service.url).get('/V1//whoami'),
      request(service.url).get('/v1'),
    ]);
    for (const response of responses) {
      expect(response.body).toEqual({
        code: 503,
        message: 'This variant of the interface ends and is off for a while',
        reason: 'VARIANT_BROWNOUT',
        requestId: response.headers['x-request-id'],
      });
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(600);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(500);
      expect(endHeadersOf(response)).toEqual(ALL);
    }
    const [unchanged] = await service.sql`SELECT 1 FROM organisations WHERE name = 'Other'`;
    expect(unchanged).toBeUndefined();
  });

  it('serves login, logout, introspection and forward-auth', async () => {
    const { username, client } = parent.custadmin;
    const login = { username, password: PASSWORD };
    const { body } = await anonymous(service).post('/login', login).expect(200);
    const fresh = new ApiClient(service.url, (body as { hash: string }).hash);
    await anonymous(service)
      .post('/login', { ...login, password: 'Wrong-1' })
      .expect(401);
    await request(service.url).post('/V1//login/').send(login).expect(200);
    await request(service.url)
      .post('/v1/login')
      .set('Content-Type', 'application/json')
      .send('{')
      .expect(400);
    await fresh.post('/access/introspect', { token: 'none' }).expect(({ status }) => {
      expect(status).not.toBe(503);
    });
    await fresh.get('/access/forward').expect(204);
    await fresh.put('/access/forward', {}).expect(204);
    await anonymous(service).get('/access/forward').expect(401);
    await fresh.get('/whoami').expect(503);
    await fresh.post('/logout').expect(204);
    await fresh.get('/access/forward').expect(401);
    await client.get('/whoami').expect(503);
  });

  it('leaves an exempt program alone from the next call on, whoever runs it', async () => {
    const call = async (userAgent?: string, client = parent.custadmin.client) => {
      const sent = client.get('/whoami');
      return (await (userAgent === undefined ? sent : sent.set('User-Agent', userAgent))).status;
    };
    const all = () =>
      Promise.all([
        call('level27_lvl/1.7.0'),
        call('Level27_LVL/1.9', child.custadmin.client),
        call('level27_lvl/1.7.0', anonymous(service)),
        call('level27_lvlup/1'),
        call(),
      ]);
    expect(await all()).toEqual([503, 503, 503, 503, 503]);
    await service.sql`INSERT INTO variant_exemptions (program, beneath, ends_at)
      VALUES ('level27_lvl', false, now() + interval '1 day')`;
    expect(await all()).toEqual([200, 200, 401, 503, 503]);
    await service.sql`UPDATE variant_exemptions SET ends_at = now()`;
    expect(await all()).toEqual([503, 503, 503, 503, 503]);
  });

  it('shows itself to browsers, and stays away from everything else', async () => {
    const refused = await parent.custadmin.client.get('/whoami').set('Origin', ORIGIN).expect(503);
    expect(refused.headers['access-control-allow-origin']).toBe(ORIGIN);
    await request(service.url)
      .options('/v1/whoami')
      .set('Origin', ORIGIN)
      .set('Access-Control-Request-Method', 'GET')
      .expect(204);
    // The route answers every method with 501, so CORS answers its preflight request.
    await request(service.url)
      .options('/v1/domains/check')
      .set('Origin', ORIGIN)
      .set('Access-Control-Request-Method', 'GET')
      .expect(204);
    await request(service.url).options('/v1/nowhere').set('Origin', ORIGIN).expect(503);
    for (const path of ['/health/live', '/health/ready', '/metrics', '/docs/openapi.json'])
      await request(service.url).get(path).expect(200);
  });

  it('leaves an exempt organisation alone from the next call on, until the exemption ends', async () => {
    expect(await statusesOf()).toEqual([503, 503]);
    await exempt(child.organisationId);
    expect(await statusesOf()).toEqual([503, 200]);
    await service.sql`UPDATE variant_exemptions SET ends_at = now()`;
    expect(await statusesOf()).toEqual([503, 503]);
  });

  it('leaves those beneath alone only where the exemption says so', async () => {
    await exempt(parent.organisationId);
    expect(await statusesOf()).toEqual([200, 503]);
    await service.sql`UPDATE variant_exemptions SET beneath = true`;
    expect(await statusesOf()).toEqual([200, 200]);
    await service.sql`DELETE FROM variant_exemptions`;
    await exempt(child.organisationId, true);
    expect(await statusesOf()).toEqual([503, 200]);
  });

  it('serves the exempt as ever: 404, 403, changes and bodies', async () => {
    await exempt(child.organisationId);
    const { client } = child.custadmin;
    await client.get('/nowhere').expect(404);
    await client.get(`/organisations/${parent.organisationId}`).expect(403);
    await client
      .patch(`/organisations/${child.organisationId}`, { name: 'Renamed', taxNumber: 'T' })
      .expect(204);
    await client.post('/login', { username: child.custadmin.username, password: PASSWORD }).expect(200);
  });

  it('does not count a key at an address that the key refuses, nor a login that has ended', async () => {
    await exempt(child.organisationId);
    const { client: elsewhere } = await makeApiKey(service, child.custadmin.id, {
      whitelist: ['192.0.2.1'],
    });
    await elsewhere.get('/whoami').expect(503);
    const { client: ended } = child.custadmin;
    await ended.post('/logout').expect(204);
    await ended.get('/whoami').expect(503);
    child.custadmin = (await makeCustomer(service)).custadmin;
  });

  it('is told apart from faults in metrics, log and usage', async () => {
    const { client } = parent.custadmin;
    const path = `/organisations/${parent.organisationId}`;
    const before = service.logLines.length;
    const { headers } = await client.get(path).set('User-Agent', 'PanelSync/1.2').expect(503);
    const { text } = await request(service.url).get('/metrics').expect(200);
    expect(text).toMatch(
      /^http_requests_total\{method="GET",route="\/v1\/organisations\/:organisationId",status="503",outcome="brownout"\} 1$/m,
    );
    expect(text).not.toMatch(/outcome="(unavailable|fault)"/);
    const lines = service.logLines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ requestId }) => requestId === headers['x-request-id'])).toEqual([
      expect.objectContaining({
        level: 30,
        route: '/v1/organisations/:organisationId',
        status: 503,
        reason: 'VARIANT_BROWNOUT',
      }),
    ]);
    await service.app.get(UsageRecorder, { strict: false }).flush();
    expect(
      await service.sql`SELECT operation, requests::integer FROM variant_usage
        WHERE organisation_id = ${parent.organisationId} AND program = 'panelsync'`,
    ).toEqual([{ operation: 'GET /organisations/{organisationId}', requests: 1 }]);
  });

  it('lets nobody in while the exemptions cannot be read', async () => {
    await exempt(parent.organisationId);
    await service.sql`ALTER TABLE variant_exemptions RENAME TO elsewhere`;
    try {
      const { status, body, headers } = await parent.custadmin.client.get('/whoami');
      expect(status).toBe(500);
      expect(body).toMatchObject({ reason: 'INTERNAL_ERROR', requestId: headers['x-request-id'] });
    } finally {
      await service.sql`ALTER TABLE elsewhere RENAME TO variant_exemptions`;
    }
  });
});
