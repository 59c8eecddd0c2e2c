import type { ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import request from 'supertest';
import { untilItWaits } from '../support/faults/locks';
import { createTestDatabase, type TestDatabase } from '../support/service/databases';
import { anonymous, ApiClient, asAdmin, loggedIn } from '../support/service/client';
import { makeCustomer, PASSWORD } from '../support/factories/factories';
import { ADMIN, startTestService } from '../support/service/service';
import { pathOf } from '../support/factories/users-factories';
import { startServiceProcess, type ServiceProcess, settingsOn } from '../support/service/processes';

describe('a process of the service', () => {
  let database: TestDatabase;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await database.drop();
  });

  function start(settings: NodeJS.ProcessEnv): ServiceProcess {
    const started = startServiceProcess(settings);
    children.push(started.child);
    return started;
  }

  const settings = () => settingsOn(database.url);

  it('finishes what is in flight at SIGTERM, takes nothing new and ends with 0', async () => {
    const { child, address, ended } = start(settings());
    const url = await address;
    const client = new ApiClient(url);
    await client.post('/login', { username: ADMIN.username, password: ADMIN.password }).expect(200);
    // The user's row is locked meanwhile, so that the request is surely in flight when the signal comes.
    const { body } = await client.post('/login', { username: ADMIN.username, password: ADMIN.password });
    const admin = new ApiClient(url, (body as { hash: string }).hash);
    const { Client } = await import('pg');
    const lock = new Client({ connectionString: database.url });
    await lock.connect();
    // Rows that only refer to the organisation, such as those of the login before, do not wait for this lock.
    await lock.query('BEGIN; SELECT 1 FROM organisations WHERE id = 1 FOR NO KEY UPDATE');
    const inFlight = admin
      .patch('/organisations/1', { name: 'Changed', taxNumber: 'T' })
      .then((response) => response.status);
    await untilItWaits(lock, inFlight);
    child.kill('SIGTERM');
    let refused = false;
    while (!refused)
      refused = await fetch(`${url}/health/ready`).then(
        (response) => response.status === 503,
        () => true,
      );
    await lock.query('COMMIT');
    expect(await inFlight).toBe(204);
    expect(await ended).toMatchObject({ status: 0 });
    const { rows } = await lock.query('SELECT name FROM organisations WHERE id = 1');
    expect(rows).toEqual([{ name: 'Changed' }]);
    await lock.end();
  });

  it('ends at SIGTERM also when nobody reads its log any more', async () => {
    const { child, address, ended } = start(settings());
    const client = new ApiClient(await address);
    child.stdout.destroy();
    await client.post('/login', { username: ADMIN.username, password: ADMIN.password }).expect(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
  });

  it('refuses a first admin that breaks the rules in one line, and where there is one does not ask', async () => {
    const fresh = await createTestDatabase();
    try {
      const onFresh = { ...settings(), DATABASE_URL: fresh.url };
      const [password, username, proxies] = await Promise.all([
        start({ ...onFresh, ADMIN_PASSWORD: 'planted' }).ended,
        start({ ...onFresh, ADMIN_USERNAME: 'admin@localhost' }).ended,
        start({ ...onFresh, TRUSTED_PROXIES: '10.0.0.0/8,proxy' }).ended,
      ]);
      for (const [{ status, errors }, setting] of [
        [password, 'ADMIN_PASSWORD'],
        [username, 'ADMIN_USERNAME'],
        [proxies, 'TRUSTED_PROXIES'],
      ] as const) {
        expect(status).toBe(1);
        expect(errors).toMatch(new RegExp(`^[^\n]*${setting}[^\n]*\n$`));
        expect(errors).not.toContain('planted');
      }
      expect(proxies.output).toBe('');
    } finally {
      await fresh.drop();
    }
    const { child, address, ended } = start({ ...settings(), ADMIN_PASSWORD: 'a' });
    await address;
    child.kill('SIGTERM');
    const { output } = await ended;
    expect(output).toContain('BCRYPT_COST is 4');
    expect(output).toContain('PUBLIC_URL not set');
  });

  it('says in one line what is wrong with a setting, and ends with 1', async () => {
    const taken: Server = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '0.0.0.0', resolve));
    const port = String((taken.address() as AddressInfo).port);
    try {
      const [wrong, used, field] = await Promise.all([
        start({ ...settings(), API_VARIANT: 'C' }).ended,
        start({ ...settings(), PORT: port }).ended,
        start({ ...settings(), ADMIN_ONLY_FIELDS: 'city, colour' }).ended,
      ]);
      expect(field).toMatchObject({
        status: 1,
        errors: expect.stringMatching(/^[^\n]*ADMIN_ONLY_FIELDS[^\n]*: colour\n$/) as string,
      });
      expect(wrong).toMatchObject({
        status: 1,
        errors: expect.stringMatching(/^[^\n]*API_VARIANT[^\n]*\n$/) as string,
      });
      expect(used).toMatchObject({
        status: 1,
        errors: expect.stringMatching(new RegExp(`^[^\n]*PORT ${port} is already in use[^\n]*\n$`)) as string,
      });
    } finally {
      taken.close();
    }
  });
});

describe('a service whose database goes away', () => {
  it('answers 503 with Retry-After, quickly, and comes back by itself', async () => {
    const service = await startTestService('A');
    const admin = await asAdmin(service);
    const name = new URL(service.database.url).pathname.slice(1);
    const server = new (await import('pg')).Client({ connectionString: process.env['TEST_SERVER_URL'] });
    await server.connect();
    try {
      await request(service.url).get('/health/ready').expect(200);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'account-api%'`,
        [name],
      );
      for (const path of ['/health/ready', '/v1/whoami', '/v1/organisations']) {
        const startedAt = Date.now();
        const response = await request(service.url)
          .get(path)
          .set('Authorization', admin.hash as string);
        expect({ path, status: response.status, code: (response.body as { code: number }).code }).toEqual({
          path,
          status: 503,
          code: 503,
        });
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        expect(Date.now() - startedAt).toBeLessThan(4000);
      }
      await request(service.url).get('/health/live').expect(200);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await request(service.url).get('/health/ready').expect(200);
      await admin.get('/whoami').expect(200);
    } finally {
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await server.end();
      await service.stop();
    }
  });
});

describe('the log', () => {
  it('holds no password, hash or credential, whatever goes wrong', async () => {
    await using service = await startTestService('A', { settings: { logLevel: 'trace' } });
    const planted = 'Planted-Secret-1';
    const { plain } = await makeCustomer(service);
    const client = await loggedIn(service, plain.username, PASSWORD);
    await anonymous(service).post('/login', { username: plain.username, password: planted }).expect(401);
    await anonymous(service).get(`/resetting/${planted}?token=${planted}`);
    await anonymous(service).post(`/resetting/${planted}`, { password: planted });
    await new ApiClient(service.url, planted).get('/whoami').expect(401);
    await client
      .post(`${pathOf(plain)}/changepassword`, { oldPassword: PASSWORD, password: planted })
      .expect(200);
    await service.sql('ALTER TABLE users RENAME COLUMN password_hash TO moved');
    await anonymous(service).post('/login', { username: plain.username, password: planted }).expect(500);
    const log = service.logLines.join('\n');
    expect(service.logLines.length).toBeGreaterThan(5);
    expect(log).toContain('stack');
    for (const secret of [planted, PASSWORD, client.hash as string, '$2b$'])
      expect(log).not.toContain(secret);
  });
});
