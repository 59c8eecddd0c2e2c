import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import type { Client } from 'pg';
import { untilItWaits } from '../support/faults/locks';
import { startMailServer } from '../support/faults/smtp';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { connectTo, createTestDatabase, type TestDatabase } from '../support/service/databases';
import { settingsOn, useServiceProcesses } from '../support/service/processes';
import { ADMIN } from '../support/service/service';
import { until } from '../support/service/until';

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

function isTaken(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
      .once('connect', () => (socket.destroy(), resolve(true)))
      .once('error', () => resolve(false));
  });
}

/** The status of a request on a connection of its own, or the word for its end. */
const outcomeOf = (url: string, probe = 'live'): Promise<string> =>
  get(`${url}/health/${probe}`, new Agent()).then(
    ({ status }) => String(status),
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

/** Connections that nobody has taken yet, which /proc shows in the place of what a listener has received. */
function connectionsWaitingAt(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const [, waiting = '0'] =
    new RegExp(`: \\w+:${port} \\w+:0000 0A \\w+:(\\w+) `).exec(
      readFileSync('/proc/self/net/tcp', 'latin1'),
    ) ?? [];
  return parseInt(waiting, 16);
}

describe('SIGTERM to apps/api', () => {
  let database: TestDatabase;
  let lock: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    lock = await connectTo(database.url);
  });
  afterAll(async () => {
    await lock.end();
    await database.drop();
  });

  const startProcess = useServiceProcesses();
  const start = (settings: NodeJS.ProcessEnv = {}) => startProcess(settingsOn(database.url, settings));

  /** A change that waits for a lock of this test: it is surely in flight when the signal comes. */
  async function changeInFlight(admin: ApiClient, name: string) {
    // Rows that only refer to the organisation, such as those of the login before, do not wait for this lock.
    await lock.query('BEGIN; SELECT 1 FROM organisations WHERE id = 1 FOR NO KEY UPDATE');
    const inFlight = admin.patch('/organisations/1', { name, taxNumber: 'T' }).then((it) => it);
    await untilItWaits(lock, inFlight);
    return { inFlight };
  }

  it('with TRUSTED_PROXIES it serves for five seconds more, says Connection: close, and ends with the last response', async () => {
    const { child, address, ended } = start({ TRUSTED_PROXIES: '127.0.0.1' });
    const url = await address;
    const admin = await asAdmin({ url });
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await get(`${url}/health/live`, kept)).toEqual({ status: 200, connection: 'keep-alive' });
    // A balancer that connects ahead and has asked for nothing yet.
    const ahead = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    const { inFlight } = await changeInFlight(admin, 'Drained');
    const stoppedAt = Date.now();
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
    expect(await ended).toMatchObject({ status: 0 });
    expect(Date.now() - stoppedAt).toBeGreaterThan(5000);
    ahead.destroy();
  });

  it('it waits no longer than ten seconds for a mail server that does not answer', async () => {
    const mailServer = await startMailServer();
    mailServer.hold(true);
    const { child, address, ended } = start({ SMTP_URL: mailServer.url });
    await anonymous({ url: await address }).post('/resetting/send_email', { username: ADMIN.username });
    await until(() => mailServer.held() === 1);
    const stoppedAt = Date.now();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    expect(Date.now() - stoppedAt).toBeLessThan(15_000);
    await mailServer.stop();
  });

  it('without TRUSTED_PROXIES it takes nothing new, finishes what is in flight and ends with 0', async () => {
    const { child, address, ended, output } = start();
    const url = await address;
    const { inFlight } = await changeInFlight(await asAdmin({ url }), 'Finished');
    child.kill('SIGTERM');
    await until(async () => ['503', 'ECONNREFUSED'].includes(await outcomeOf(url, 'ready')));
    await lock.query('COMMIT');
    expect((await inFlight).status).toBe(204);
    expect(await ended).toMatchObject({ status: 0 });
    expect(output()).toContain('keeps serving for 0 s');
    const { rows } = await lock.query('SELECT name FROM organisations WHERE id = 1');
    expect(rows).toEqual([{ name: 'Finished' }]);
  });

  it('it ends with 0 though nobody reads its log any more', async () => {
    const { child, address, stop } = start();
    const url = await address;
    child.stdout.destroy();
    await asAdmin({ url });
    expect(await stop()).toMatchObject({ status: 0 });
  });

  it('it still answers whoever had connected before it stopped to listen', async () => {
    const { child, address, ended } = start();
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

  it('it answers everybody whom the system has connected for it', async () => {
    const { child, address, ended } = start();
    const url = await address;
    // While it stands still the system connects them by itself.
    child.kill('SIGSTOP');
    const waiting = Array.from({ length: 60 }, () => get(`${url}/health/live`, new Agent()));
    await until(async () => connectionsWaitingAt(url) === waiting.length);
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const replies = await Promise.allSettled(waiting);
    const answered = { status: 'fulfilled', value: { status: 200, connection: 'close' } };
    expect(replies.filter((reply) => JSON.stringify(reply) !== JSON.stringify(answered))).toEqual([]);
    expect(await ended).toMatchObject({ status: 0 });
  });

  it('it answers or refuses whoever connects while it closes its listener, and seldom resets one', async () => {
    const STOPS = 3;
    const CLIENTS = 12;
    let resets = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      const { child, address, ended } = start();
      const url = await address;
      const outcomes: string[] = [];
      const isRefused = (): boolean => outcomes.includes('ECONNREFUSED');
      const askOnAndOn = async (): Promise<void> => {
        while (!isRefused()) outcomes.push(await outcomeOf(url));
      };
      const clients = Array.from({ length: CLIENTS }, askOnAndOn);
      await until(async () => outcomes.includes('200'));
      child.kill('SIGTERM');
      await Promise.all(clients);
      const reset = outcomes.filter((outcome) => !['200', 'ECONNREFUSED'].includes(outcome));
      expect(reset.filter((outcome) => outcome !== 'ECONNRESET')).toEqual([]);
      resets += reset.length;
      expect(await ended).toMatchObject({ status: 0 });
    }
    // Only a connection made between the last accept and the close: at most one in three
    // clients at a stop, not all.
    expect(resets).toBeLessThanOrEqual((STOPS * CLIENTS) / 3);
  });

  it('without TRUSTED_PROXIES it ends within 9 s, though connections are held that ask for nothing', async () => {
    const { child, address, ended } = start();
    const url = await address;
    const kept = new Agent({ keepAlive: true });
    await get(`${url}/health/live`, kept);
    const ahead = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await new Promise<void>((resolve) => ahead.once('connect', () => resolve()));
    // A client that has sent half of its headers, and one that has sent half of those of its second request.
    const half = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n';
    const answered: string[] = [];
    for (const text of [half, `${half}\r\n${half}`]) {
      const slow = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      slow.on('data', (bytes: Buffer) => answered.push(bytes.toString())).write(text);
    }
    await until(() => Promise.resolve(answered.length > 0));
    const stoppedAt = Date.now();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
    expect(Date.now() - stoppedAt).toBeLessThan(9000);
  });
});
