import type { Client } from 'pg';
import request from 'supertest';
import { type DatabaseProxy, startDatabaseProxy } from '../support/faults/database-proxy';
import { startMailServer } from '../support/faults/smtp';
import { type ServerPair, startServerPair } from '../support/faults/standby';
import { anonymous, ApiClient, asAdmin } from '../support/service/client';
import { connectTo } from '../support/service/databases';
import { useServiceProcesses } from '../support/service/processes';
import { ADMIN, startTestService, TEST_SECRETS_KEY } from '../support/service/service';
import { until } from '../support/service/until';

/** Connections of the service, its worker included, to one of the servers. */
const CONNECTIONS = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name LIKE 'account-api%'`;

describe('a server that has become a standby', () => {
  const start = useServiceProcesses();
  let pair: ServerPair;
  let proxy: DatabaseProxy;
  let primary: Client;
  let standby: Client;
  /** Of two logins that both servers know. */
  let ended = '';
  let lasting = '';

  const database = (url: string) => ({ url, drop: () => Promise.resolve() });
  const connectionsOf = async (server: Client): Promise<number> =>
    (await server.query<{ count: number }>(CONNECTIONS)).rows[0]?.count ?? 0;

  beforeAll(async () => {
    pair = await startServerPair(async (url) => {
      await using service = await startTestService('A', { database: database(url) });
      [ended = '', lasting = ''] = [(await asAdmin(service)).hash, (await asAdmin(service)).hash];
    });
    [primary, standby] = [await connectTo(pair.primaryUrl), await connectTo(pair.standbyUrl)];
    proxy = await startDatabaseProxy(pair.primaryUrl);
  });
  afterAll(async () => {
    await Promise.all([primary.end(), standby.end()]);
    await proxy.close();
    await pair.stop();
  });

  it('/health/ready, /whoami and PATCH are 503 on it, and no connection to it stays', async () => {
    const mail = await startMailServer();
    const service = await startTestService('A', {
      database: database(proxy.urlOf(pair.primaryUrl)),
      settings: { worker: true, smtpUrl: mail.url },
    });
    try {
      await new ApiClient(service.url, ended).post('/logout', {});
      await new ApiClient(service.url, ended).get('/whoami').expect(401);
      proxy.pointTo(pair.standbyUrl);
      proxy.cut();
      for (const path of ['/health/ready', '/v1/whoami', '/v1/organisations']) {
        const answer = await request(service.url).get(path).set('Authorization', ended).expect(503);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      await new ApiClient(service.url, lasting).patch('/organisations/1', { name: 'Kept' }).expect(503);
      // Neither the service nor its worker keeps a connection to it.
      await until(async () => (await connectionsOf(standby)) === 0);

      proxy.pointTo(pair.primaryUrl);
      await request(service.url).get('/health/ready').expect(200);
      await new ApiClient(service.url, ended).get('/whoami').expect(401);
      await new ApiClient(service.url, lasting).get('/whoami').expect(200);
      await anonymous(service).post('/resetting/send_email', { username: ADMIN.username }).expect(204);
      await until(() => mail.mails.length > 0);
    } finally {
      await service.stop();
      await mail.stop();
    }
  });

  it('GET /whoami waits for the next primary: a switchover of a second costs no answer', async () => {
    await using service = await startTestService('A', { database: database(proxy.urlOf(pair.primaryUrl)) });
    proxy.pointTo(pair.standbyUrl);
    proxy.cut();
    const before = proxy.taken();
    const waiting = new ApiClient(service.url, lasting).get('/whoami').then(({ status }) => status);
    await until(() => proxy.taken() > before);
    proxy.pointTo(pair.primaryUrl);
    expect(await waiting).toBe(200);
  });

  it('DATABASE_URL with several hosts passes over it, and finds it when it has been promoted', async () => {
    const other = await startDatabaseProxy(pair.standbyUrl);
    const one = new URL(other.urlOf(pair.standbyUrl));
    const two = new URL(proxy.urlOf(pair.primaryUrl));
    const { address, stop } = start({
      DATABASE_URL: `postgresql://${one.username}:${one.password}@${one.host},${two.host}${one.pathname}?target_session_attrs=read-write`,
      SECRETS_KEY: TEST_SECRETS_KEY,
      BCRYPT_COST: '4',
      PORT: '0',
    });
    try {
      const url = await address;
      const client = new ApiClient(url, lasting);
      await client.patch('/organisations/1', { name: 'On the primary', taxNumber: 'T' }).expect(204);
      await proxy.refuse();
      proxy.cut();
      await client.get('/whoami').expect(503);
      await standby.query('SELECT pg_promote()');
      await until(async () => (await client.get('/whoami')).status === 200);
      await client.patch('/organisations/1', { name: 'On the promoted', taxNumber: 'T' }).expect(204);
      const { rows } = await standby.query('SELECT name FROM organisations WHERE id = 1');
      expect(rows).toEqual([{ name: 'On the promoted' }]);
      expect(await stop()).toMatchObject({ status: 0 });
    } finally {
      await other.close();
    }
  });
});
