import { Agent, request as send, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Client } from 'pg';
import { ApiClient } from './support/client';
import { createTestDatabase, type TestDatabase } from './support/databases';
import { startServiceProcess } from './support/processes';
import { ADMIN, TEST_SECRETS_KEY } from './support/service';
import { until } from './support/until';

interface Reply {
  readonly status: number | undefined;
  readonly connection: string | undefined;
}

function get(url: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = send(url, { agent }, (response: IncomingMessage) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    });
    call.once('error', reject).end();
  });
}

/** Whether a connection is taken. */
function isTaken(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
      .once('connect', () => (socket.destroy(), resolve(true)))
      .once('error', () => resolve(false));
  });
}

describe('a process that is told to stop', () => {
  let database: TestDatabase;
  let lock: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    lock = new Client({ connectionString: database.url });
    await lock.connect();
  });
  afterAll(async () => {
    await lock.end();
    await database.drop();
  });

  const settings = (drainDelay: string) => ({
    DATABASE_URL: database.url,
    SECRETS_KEY: TEST_SECRETS_KEY,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    BCRYPT_COST: '4',
    PORT: '0',
    DRAIN_DELAY: drainDelay,
  });

  it('goes on serving for a while, says so on every connection, and ends with the last response', async () => {
    const { child, address, ended } = startServiceProcess(settings('8s'));
    const url = await address;
    const client = new ApiClient(url);
    const { body } = await client
      .post('/login', { username: ADMIN.username, password: ADMIN.password })
      .expect(200);
    const admin = new ApiClient(url, (body as { hash: string }).hash);
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await get(`${url}/health/live`, kept)).toEqual({ status: 200, connection: 'keep-alive' });
    // A balancer that connects ahead and has asked for nothing yet.
    const ahead = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await lock.query('BEGIN; SELECT 1 FROM organisations WHERE id = 1 FOR UPDATE');
    const inFlight = admin.patch('/organisations/1', { name: 'Drained', taxNumber: 'T' }).then((it) => it);
    await until(
      async () =>
        (
          await lock.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock'`)
        ).rowCount === 1,
    );
    child.kill('SIGTERM');
    const fresh = (): Agent => new Agent({ keepAlive: true });
    await until(async () => (await get(`${url}/health/ready`, fresh())).status === 503);
    expect(await get(`${url}/health/live`, kept)).toEqual({ status: 200, connection: 'close' });
    expect(await get(`${url}/health/live`, fresh())).toEqual({ status: 200, connection: 'close' });
    await admin.get('/whoami').expect(200);
    await lock.query('COMMIT');
    const last = await inFlight;
    expect([last.status, last.headers['connection']]).toEqual([204, 'close']);
    // Goal: two seconds after the delay; the grace for requests in flight would be ten.
    const { status } = await ended;
    expect(status).toBe(0);
    ahead.destroy();
  });

  it('still answers whoever had connected before it stopped to listen', async () => {
    const { child, address, ended } = startServiceProcess(settings('0s'));
    const url = await address;
    const early = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise<void>((resolve) => early.once('connect', () => resolve()));
    const answer = new Promise<string>((resolve, reject) => {
      let text = '';
      early.on('data', (bytes: Buffer) => (text += bytes.toString()));
      early.once('close', () => resolve(text)).once('error', reject);
    });
    child.kill('SIGTERM');
    await until(async () => !(await isTaken(url)));
    early.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1.1 200 [^]*\r\nConnection: close\r\n/);
    expect(await ended).toMatchObject({ status: 0 });
  });

  it('that has no delay ends at once, whoever holds a connection that asks for nothing', async () => {
    const { child, address, ended } = startServiceProcess(settings('0s'));
    const url = await address;
    const kept = new Agent({ keepAlive: true });
    await get(`${url}/health/live`, kept);
    const ahead = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await new Promise<void>((resolve) => ahead.once('connect', () => resolve()));
    const start = Date.now();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    expect(Date.now() - start).toBeLessThan(9000);
  });
});
