import request, { type Response } from 'supertest';
import type { Settings } from '@app/config/settings';
import { makeOrganisation } from '../../support/factories/factories';
import { anonymous, ApiClient, asAdmin } from '../../support/service/client';
import { startTestService, useService } from '../../support/service/service';

const ORIGIN = 'https://panel.example.com';

const LINK = '<https://api.example/account/docs>; rel="deprecation"';

const END: Partial<Settings> = {
  variantBEnd: { deprecated: new Date('2027-03-01'), sunset: new Date('2027-06-30') },
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

describe('a service of Variant B with VARIANT_B_DEPRECATED and VARIANT_B_SUNSET', () => {
  const service = useService('B', { settings: END });
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  it('has Deprecation, Sunset and Link in every response under /v1', async () => {
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

  it('lets browsers read these headers, and has them in preflights', async () => {
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

  it('has none of these headers outside /v1', async () => {
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

  it('stands beside services without these headers: one without dates, and one of Variant A with them', async () => {
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
