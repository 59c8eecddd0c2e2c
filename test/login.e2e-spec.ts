import request from 'supertest';
import { anonymous, asAdmin, loggedIn } from './support/client';
import { makeCustomer, PASSWORD } from './support/factories';
import { ADMIN, startTestService, type TestService } from './support/service';
import { VARIANTS, type PerVariant } from './support/variants';

/** What the login response has beside success, user and hash. */
const KEYS: PerVariant<readonly string[]> = { A: ['hash2fa'], B: [] };

describe.each(VARIANTS)('login in Variant %s', (variant) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(variant);
  });
  afterAll(() => service.stop());

  it('answers the login shape', async () => {
    const response = await anonymous(service).post('/login', ADMIN).expect(200);
    const expectedKeys = ['success', 'user', 'hash', ...KEYS[variant]];
    expect(Object.keys(response.body as object).sort()).toEqual(expectedKeys.sort());
    expect(response.body).toMatchObject({
      success: true,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('takes the raw hash, Bearer, a doubled slash and an empty header', async () => {
    const { hash } = await asAdmin(service);
    for (const value of [hash, `Bearer ${hash}`]) {
      await request(service.url)
        .get('/v1/whoami')
        .set('Authorization', value as string)
        .expect(200);
    }
    await request(service.url).post('//v1//login').set('Authorization', '').send(ADMIN).expect(200);
  });

  it('tells the login of a credential without a body', async () => {
    const { hash } = await asAdmin(service);
    const response = await request(service.url)
      .post('/v1/login')
      .set('Content-Type', 'application/json')
      .set('Authorization', hash as string)
      .expect(200);
    expect(response.body).toMatchObject({ hash, user: { username: ADMIN.username } });
    await anonymous(service).post('/login').expect(400);
  });

  it('refuses wrong passwords, unknown names and disabled users', async () => {
    const { plain } = await makeCustomer(service);
    await anonymous(service)
      .post('/login', { ...ADMIN, password: 'x' })
      .expect(401);
    await anonymous(service).post('/login', { username: 'nobody@example.com', password: 'x' }).expect(404);
    await service.sql('UPDATE users SET enabled = false WHERE id = $1', [plain.id]);
    await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(401);
    await plain.client.get('/whoami').expect(401);
  });

  it('ends a login at logout, on the next request', async () => {
    const admin = await asAdmin(service);
    const other = await loggedIn(service, ADMIN.username, ADMIN.password);
    await admin.post('/logout').expect(204);
    await admin.get('/whoami').expect(401);
    await other.get('/whoami').expect(200);
  });
});
