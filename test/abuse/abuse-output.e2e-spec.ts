import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Response } from 'supertest';
import type { HttpAdapter } from '@app/platform/http/http-adapter';
import { clientOf, type MadeUser, makeCustomer } from '../support/factories/factories';
import {
  type AttackedService,
  bystanderDuring,
  startAttackedService,
  UNDISTURBED_P95,
} from '../support/faults/bystander';
import type { ApiClient } from '../support/service/client';
import { startTestService } from '../support/service/service';
import { until } from '../support/service/until';

const KEYS = 1000;
const MAX_PAGE = 2_500_000;

/** What the service may take of memory, in MB. */
const MAX_MB = 450;

/** Keys of user $1, with the longest comments that there ever were. */
const manyKeys = (count: number): string =>
  `INSERT INTO ssh_keys (user_id, description, type, blob, bits, comment, fingerprint, key_digest)
   SELECT $1::integer, 'Key ' || n, 'ssh-ed25519', decode(md5($1 || '-' || n), 'hex'), 256, '→' || repeat('x', 16200),
     md5($1 || '-' || n), sha256(($1 || '-' || n)::bytea)
   FROM generate_series(1, ${count}) n`;

interface SshKeys {
  readonly sshkeys: readonly { readonly id: number; readonly content: string }[];
}

describe('large answers of GET …/sshkeys', () => {
  let service: AttackedService;
  let attacker: MadeUser;
  let path: string;

  beforeAll(async () => {
    service = await startAttackedService('A');
    attacker = (await makeCustomer(service)).plain;
    path = `/organisations/${attacker.organisationId}/users/${attacker.id}/sshkeys`;
    // More than may be made today: what was there before stays.
    await service.sql(`ALTER TABLE ssh_keys DISABLE TRIGGER ssh_keys_limit_of_user`);
    await service.sql(manyKeys(KEYS), [attacker.id]);
  });
  afterAll(() => service.stop());

  const largePage = (client: ApiClient) => client.get(`${path}?limit=1000`);

  it('end after about 2 MB, with Link to the rest: no item twice, none lost', async () => {
    const ids: number[] = [];
    let pages = 0;
    for (let next: string | undefined = `${path}?limit=1000`; next !== undefined; pages++) {
      const response: Response = await attacker.client.get(next).expect(200);
      expect(response.text.length).toBeLessThan(MAX_PAGE);
      ids.push(...(response.body as SshKeys).sshkeys.map(({ id }) => id));
      next = /^<\/v1([^>]+)>; rel="next"$/.exec(response.headers['link'] ?? '')?.[1];
    }
    expect(pages).toBeGreaterThan(6);
    expect(pages).toBeLessThan(12);
    const stored = await service.sql<{ id: number }>('SELECT id FROM ssh_keys ORDER BY id');
    expect(ids).toEqual(stored.map(({ id }) => id));
  });

  it('leave the service to others, twenty at once', async () => {
    const statuses: number[] = [];
    const notice = await bystanderDuring(service, async () => {
      for (let round = 0; round < 3; round++) {
        const responses = await Promise.all(Array.from({ length: 20 }, () => largePage(attacker.client)));
        statuses.push(...responses.map(({ status }) => status));
      }
    });
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
    expect(Object.keys(notice.statuses)).toEqual(['200']);
    expect(notice.p95).toBeLessThan(UNDISTURBED_P95);
    expect(notice.peakMb).toBeLessThan(MAX_MB);
  });

  it('leave the service to others where nobody reads them, and make no large answer 503', async () => {
    const opened: IncomingMessage[] = [];
    const { custadmin: other } = await makeCustomer(service);
    await service.sql(manyKeys(150), [other.id]);
    try {
      let ofOther: number | undefined;
      const notice = await bystanderDuring(service, async () => {
        // Some MB of each answer stay with Node, because the buffers of a connection do not take them.
        const asked = Array.from({ length: 40 }, (_, index) => `${path}?limit=1000&offset=${index % 29}`);
        // Few at a time, because lists of one customer have a bulkhead of their own.
        while (asked.length > 0) opened.push(...(await Promise.all(asked.splice(0, 4).map(unread))));
        const ofOwn = `/organisations/${other.organisationId}/users/${other.id}/sshkeys?limit=1000`;
        ofOther = (await other.client.get(ofOwn)).status;
      });
      expect(new Set(opened.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      expect(ofOther).toBe(200);
      expect(Object.keys(notice.statuses)).toEqual(['200']);
      expect(notice.p95).toBeLessThan(UNDISTURBED_P95);
      expect(notice.peakMb).toBeLessThan(MAX_MB);
    } finally {
      for (const response of opened) response.destroy();
    }
  });

  it('are two of one customer at a time as csv, and other customers have theirs', async () => {
    const opened: IncomingMessage[] = [];
    const other = await clientOf(service, 1);
    try {
      const asked = Array.from({ length: 8 }, () => unread(`${path}?format=csv`));
      const [ofOther, ...ofAttacker] = await Promise.all([
        other.get(`${path}?format=csv`),
        ...asked.map(async (response) => opened.push(await response)),
      ]);
      expect(ofAttacker).toHaveLength(8);
      expect(ofOther.status).toBe(200);
      expect(ofOther.text.split('\r\n')).toHaveLength(KEYS + 2);
      // Who reads nothing makes room after two seconds, for the next of the same customer too.
      const refused = opened.filter(({ statusCode }) => statusCode === 503);
      expect(refused.length).toBeGreaterThanOrEqual(2);
      for (const { headers } of refused) expect(headers['retry-after']).toBe('5');
    } finally {
      for (const response of opened) response.destroy();
    }
  });

  /** A response whose body is left on the connection. */
  const unread = (asked: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: attacker.client.hash };
      get(`${service.url}/v1${asked}`, { headers, agent: false }, (response) => {
        response.on('error', () => undefined);
        resolve(response);
      }).on('error', reject);
    });
});

it('GET …/sshkeys: an answer that nobody reads ends with its connection', async () => {
  await using service = await startTestService('A');
  const server = service.app.getHttpServer();
  // Twelve of them are 60 s.
  expect(server.timeout).toBe(5000);
  server.timeout = 200;
  const { plain } = await makeCustomer(service);
  const path = `/organisations/${plain.organisationId}/users/${plain.id}/sshkeys`;
  await service.sql(`ALTER TABLE ssh_keys DISABLE TRIGGER ssh_keys_limit_of_user`);
  await service.sql(manyKeys(KEYS), [plain.id]);
  const headers = { Authorization: plain.client.hash };
  const responses: IncomingMessage[] = [];
  for (const query of ['format=csv', 'limit=1000', 'limit=1000&offset=7']) {
    get(`${service.url}/v1${path}?${query}`, { headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      responses.push(response);
    });
  }
  await until(() => responses.length === 3);
  // A client that does not read does not see the end either: only the service knows.
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_, count: number) => resolve(count)));
  await until(async () => (await connections()) === 0);
  for (const response of responses) response.destroy();
});

it('GET …/sshkeys?format=csv: a client that goes on sending and reads nothing is disconnected', async () => {
  await using service = await startTestService('A');
  const server = service.app.getHttpServer();
  const adapter = service.app.getHttpAdapter() as unknown as HttpAdapter;
  expect(adapter.responseTimeout).toBe(600_000);
  adapter.responseTimeout = 2000;
  const { plain } = await makeCustomer(service);
  const path = `/organisations/${plain.organisationId}/users/${plain.id}/sshkeys`;
  await service.sql(`ALTER TABLE ssh_keys DISABLE TRIGGER ssh_keys_limit_of_user`);
  await service.sql(manyKeys(KEYS), [plain.id]);
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  const headers = `Host: x\r\nAuthorization: ${plain.client.hash}\r\n`;
  socket.write(`GET /v1${path}?format=csv HTTP/1.1\r\n${headers}\r\nGET /v1/whoami HTTP/1.1\r\n${headers}`);
  socket.pause();
  // A header of the next request that never ends: each byte is a sign of life, and none is taken.
  const trickle = setInterval(() => socket.write('X-A: b\r\n'), 100);
  const connections = (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_, count: number) => resolve(count)));
  const start = performance.now();
  await until(async () => (await connections()) === 0);
  clearInterval(trickle);
  socket.destroy();
  // Node itself ends it for the header, after 15 s.
  expect(performance.now() - start).toBeLessThan(13_000);
});
