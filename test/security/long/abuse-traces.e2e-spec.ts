import { connect } from 'node:net';
import { Client } from 'pg';
import request, { type Test } from 'supertest';
import { Refusals } from '@app/feeds/audit/refusals';
import { makeCustomer, makeOrganisation, PASSWORD } from '../../support/factories/factories';
import { makeApiKey } from '../../support/factories/key-factories';
import { transactionBeside, untilBlocked } from '../../support/faults/locks';
import { lowerWriteBarrier, raiseWriteBarrier } from '../../support/generators/access-state';
import { anonymous, asAdmin, loggedIn } from '../../support/service/client';
import {
  describeService,
  startTestService,
  useService,
  useServicePerTest,
} from '../../support/service/service';
import { until } from '../../support/service/until';

interface LogLine {
  readonly status?: number;
  readonly address?: string;
  readonly userId?: number;
  readonly nameDigest?: string;
}

describe('who did it', () => {
  const service = useService('A', { settings: { trustedProxies: ['127.0.0.0/8'] } });

  /** The log line that comes next with this status; nothing before the call counts. */
  async function lineOf(status: number, call: () => PromiseLike<unknown>): Promise<LogLine> {
    const known = service.logLines.length;
    await call();
    let found: LogLine | undefined;
    await until(async () => {
      found = service.logLines
        .slice(known)
        .map((line) => JSON.parse(line) as LogLine)
        .find((line) => line.status === status);
      return found !== undefined;
    });
    return found as LogLine;
  }

  it('is told by address and user where access is denied or a role is missing', async () => {
    const { plain } = await makeCustomer(service);
    const elsewhere = await makeOrganisation(service);
    const denied = await lineOf(403, () =>
      plain.client.get(`/organisations/${elsewhere}`).set('X-Forwarded-For', '198.51.100.7'),
    );
    expect(denied).toMatchObject({ address: '198.51.100.7', userId: plain.id });
    const role = await lineOf(500, () =>
      plain.client
        .post('/organisations', { name: 'x', taxNumber: 'x' })
        .set('X-Forwarded-For', '198.51.100.8'),
    );
    expect(role).toMatchObject({ address: '198.51.100.8', userId: plain.id });
  });

  it('is told by address and a digest of the name where a credential is refused, never by the name', async () => {
    const { plain } = await makeCustomer(service);
    const login = (username: string) =>
      anonymous(service)
        .post('/login', { username, password: 'Wrong-pass-1' })
        .set('X-Forwarded-For', '203.0.113.9');
    const wrong = await lineOf(401, () => login(plain.username));
    const unknown = await lineOf(404, () => login('nobody@nowhere.example'));
    const unknownAgain = await lineOf(404, () => login(' Nobody@Nowhere.example'));
    expect(wrong).toMatchObject({
      address: '203.0.113.9',
      nameDigest: expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(unknown).toMatchObject({ address: '203.0.113.9', nameDigest: unknownAgain.nameDigest });
    expect(unknown.nameDigest).not.toBe(wrong.nameDigest);
    expect(service.logLines.join('')).not.toMatch(/nobody@nowhere|Nobody@Nowhere/);
  });

  it('is told by address where a credential is unknown', async () => {
    const line = await lineOf(401, () =>
      anonymous(service)
        .get('/whoami')
        .set('Authorization', 'f'.repeat(64))
        .set('X-Forwarded-For', '203.0.113.4'),
    );
    expect(line).toMatchObject({ address: '203.0.113.4' });
  });

  it('keeps an id that a trusted proxy gave, if it is sane', async () => {
    const admin = await asAdmin(service);
    const given = await admin.get('/whoami').set('X-Request-Id', 'abc-1.2_3').expect(200);
    expect(given.headers['x-request-id']).toBe('abc-1.2_3');
    const insane = await admin.get('/whoami').set('X-Request-Id', '<script>').expect(200);
    expect(insane.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});

interface RefusalRow {
  readonly actor_user_id: number | null;
  readonly actor_credential_kind: string | null;
  readonly address: string;
  readonly table_name: string;
  readonly record_id: number;
  readonly organisation_id: number | null;
  readonly before: unknown;
  readonly after: { readonly reason: string; readonly count: number; readonly name_digest?: string };
}

describe('what was refused', () => {
  const service = useServicePerTest('A', {
    settings: { trustedProxies: ['127.0.0.0/8'], rateLimit: false, logLevel: 'trace' },
  });

  const written = async (): Promise<RefusalRow[]> => {
    await service.app.get(Refusals).write();
    return service.sql<RefusalRow>(
      `SELECT * FROM audit_log WHERE action = 'refuse' ORDER BY after ->> 'reason', record_id, address`,
    );
  };

  const login = (username: string, address: string, password = 'Wrong-pass-1') =>
    anonymous(service).post('/login', { username, password }).set('X-Forwarded-For', address);

  const stranger = {
    actor_user_id: null,
    actor_credential_kind: 'stranger',
    table_name: 'refusals',
    before: null,
  };

  it('is a row a minute for each network and user, or digest of a name that nobody has', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    for (const address of ['203.0.113.9', '203.0.113.200', '198.51.100.7']) {
      await login(` ${plain.username.toUpperCase()}`, address).expect(401);
      await login('nobody@nowhere.example', address).expect(404);
    }
    const [here, there, nobodyHere, nobodyThere, ...more] = await written();
    const ofPlain = { ...stranger, record_id: plain.id, organisation_id: organisationId };
    expect(more).toEqual([]);
    expect(here).toMatchObject({ ...ofPlain, address: '198.51.100.0/24' });
    expect(there).toMatchObject({ ...ofPlain, address: '203.0.113.0/24' });
    expect(there?.after).toEqual({
      reason: 'BAD_CREDENTIALS',
      count: 2,
      since: expect.any(String) as string,
      until: expect.any(String) as string,
    });
    const ofNobody = { ...stranger, record_id: 0, organisation_id: null };
    expect(nobodyHere).toMatchObject({ ...ofNobody, after: { reason: 'NOT_FOUND', count: 1 } });
    expect(nobodyThere).toMatchObject({ ...ofNobody, after: { reason: 'NOT_FOUND', count: 2 } });
    expect(nobodyHere?.after.name_digest).toMatch(/^[\da-f]{32}$/);
    expect(nobodyThere?.after.name_digest).toBe(nobodyHere?.after.name_digest);
    expect(JSON.stringify(await service.sql('SELECT * FROM audit_log'))).not.toContain('nobody@nowhere');
  });

  it('is told of whoever a denial, a missing role or a key of another address was about', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const elsewhere = await makeOrganisation(service);
    const key = await makeApiKey(service, plain.id, { whitelist: ['192.0.2.1'] });
    const from = (call: Test) => call.set('X-Forwarded-For', '2001:db8::7');
    await from(plain.client.get(`/organisations/${elsewhere}`)).expect(403);
    await from(plain.client.delete(`/organisations/${organisationId}`)).expect(500);
    await from(key.client.get('/whoami')).expect(403);
    const common = {
      address: '2001:db8::/64',
      actor_user_id: plain.id,
      record_id: plain.id,
      organisation_id: organisationId,
    };
    expect(await written()).toMatchObject([
      { ...common, actor_credential_kind: 'login', after: { reason: 'ACCESS_DENIED', count: 1 } },
      { ...common, actor_credential_kind: 'api_key', after: { reason: 'ADDRESS_REFUSED', count: 1 } },
      { ...common, actor_credential_kind: 'login', after: { reason: 'ROLE_REQUIRED', count: 1 } },
    ]);
  });

  it('is a lock-out of a name, and a credential that has expired or is nobody’s', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    for (let guess = 0; guess < 10; guess++) await login(plain.username, '203.0.113.9').expect(401);
    await login(plain.username, '203.0.113.9', PASSWORD).expect(429);
    const expired = await makeApiKey(service, plain.id, { expiresIn: '-1 second' });
    await expired.client.get('/whoami').expect(401);
    for (const digit of ['a', 'b']) {
      await anonymous(service).get('/whoami').set('Authorization', digit.repeat(64)).expect(401);
    }
    // Who presents nothing tried nothing.
    await anonymous(service).get('/whoami').expect(401);
    const ofPlain = { ...stranger, record_id: plain.id, organisation_id: organisationId };
    const rows = await written();
    expect(rows).toMatchObject([
      { ...ofPlain, after: { reason: 'BAD_CREDENTIALS', count: 10 } },
      { ...ofPlain, after: { reason: 'TOO_MANY_ATTEMPTS', count: 1 } },
      { ...stranger, record_id: 0, after: { reason: 'UNAUTHORISED', count: 2 } },
      { ...ofPlain, after: { reason: 'UNAUTHORISED', count: 1 } },
    ]);
    expect(rows).toHaveLength(4);
  });

  it('makes neither a write for each request nor rows without end', async () => {
    const spy = jest.spyOn(Client.prototype, 'query');
    try {
      const names = Array.from({ length: 300 }, (_, index) => `guess${index}@nowhere.example`);
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let name = names.pop(); name !== undefined; name = names.pop()) {
            await anonymous(service).get('/whoami').set('Authorization', name).expect(401);
          }
        }),
      );
      expect(JSON.stringify(spy.mock.calls)).not.toContain('audit_refusals');
      expect(await written()).toMatchObject([
        { record_id: 0, after: { reason: 'UNAUTHORISED', count: 300 } },
      ]);
      const writes = spy.mock.calls.filter((call) => JSON.stringify(call).includes('audit_refusals'));
      expect(writes).toHaveLength(1);
    } finally {
      spy.mockRestore();
    }
  });

  it('is bounded for a day, for strangers and callers by themselves, and says so once', async () => {
    const { plain, organisationId } = await makeCustomer(service);
    const elsewhere = await makeOrganisation(service);
    const known = async (address: string) => login(plain.username, address).expect(401);
    const nobody = async (address: string) => login('nobody@nowhere.example', address).expect(404);
    await known('203.0.113.9');
    await written();
    // As after 9,997 more.
    await service.sql`UPDATE refusal_days SET rows = 9998 WHERE of_strangers`;
    for (const address of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) await nobody(address);
    await known('198.51.100.1');
    await plain.client.get(`/organisations/${elsewhere}`).expect(403);
    const rows = await written();
    const told = { table_name: 'refusals', record_id: 0, organisation_id: null, before: null };
    expect(rows).toMatchObject([
      { actor_user_id: plain.id, after: { reason: 'ACCESS_DENIED', count: 1 } },
      // Those about users come first.
      { ...stranger, record_id: plain.id, organisation_id: organisationId, address: '198.51.100.0/24' },
      { ...stranger, record_id: plain.id, organisation_id: organisationId, address: '203.0.113.0/24' },
      { ...stranger, ...told, address: null, after: { reason: 'LEFT_OUT' } },
      { ...stranger, record_id: 0, after: { reason: 'NOT_FOUND', count: 1 } },
    ]);
    for (const address of ['192.0.2.1', '198.51.100.1']) await nobody(address);
    await plain.client.get(`/organisations/${elsewhere}`).expect(403);
    expect(await written()).toHaveLength(rows.length + 1);
    const { text } = await request(service.url).get('/metrics');
    expect(text).toMatch(/^audit_refusals_dropped_total 4$/m);
    // The next day begins anew.
    await service.sql`UPDATE refusal_days SET day = day - 1`;
    await nobody('192.0.2.1');
    expect(await written()).toHaveLength(rows.length + 2);
  });

  it('is counted where it could not be written, and hinders nobody', async () => {
    const { plain } = await makeCustomer(service);
    const dropped = async (): Promise<string | undefined> => {
      const { text } = await request(service.url).get('/metrics');
      return /^audit_refusals_dropped_total (\d+)$/m.exec(text)?.[1];
    };
    await login(plain.username, '203.0.113.9').expect(401);
    await login(plain.username, '203.0.113.9').expect(401);
    expect(await dropped()).toBe('0');
    await raiseWriteBarrier(service);
    expect(await written()).toEqual([]);
    await lowerWriteBarrier(service);
    expect(await dropped()).toBe('2');
    await login(plain.username, '203.0.113.9').expect(401);
    expect(await written()).toMatchObject([{ after: { count: 1 } }]);
  });

  it('is read by managers of whom it was about', async () => {
    const { plain, custadmin, organisationId } = await makeCustomer(service);
    await login(plain.username, '203.0.113.9').expect(401);
    await written();
    const { body } = await custadmin.client
      .get(`/organisations/${organisationId}/audit?kind=refusals`)
      .expect(200);
    expect(body).toMatchObject({
      audit: [
        {
          actor: {
            type: 'stranger',
            userId: null,
            username: '',
            credential: 'stranger',
            ip: '203.0.113.0/24',
          },
          change: {
            action: 'refuse',
            kind: 'refusals',
            id: plain.id,
            organisationId,
            before: null,
            after: { reason: 'BAD_CREDENTIALS', count: 1 },
          },
        },
      ],
    });
  });

  it('is written when the service stops', async () => {
    await using stopping = await startTestService('A');
    const url = stopping.database.url;
    const { plain } = await makeCustomer(stopping);
    await anonymous(stopping)
      .post('/login', { username: plain.username, password: 'Wrong-pass-1' })
      .expect(401);
    await stopping.app.close();
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(`SELECT record_id FROM audit_log WHERE action = 'refuse'`);
    await client.end();
    expect(rows).toEqual([{ record_id: plain.id }]);
  });
});

describeService(['A'], 'who changed something and left at once', (service) => {
  it.each(['end', 'resetAndDestroy'] as const)('is still told by address: %s', async (leave) => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const client = await loggedIn(service, custadmin.username, PASSWORD);
    const body = JSON.stringify({ name: `Left by ${leave}` });
    const { port, hostname } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    // Held until the client is gone.
    await using holder = await transactionBeside(service);
    await holder.query('LOCK TABLE teams IN EXCLUSIVE MODE');
    socket.write(
      `POST /v1/organisations/${organisationId}/teams HTTP/1.1\r\nHost: x\r\nAuthorization: ${client.hash}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await untilBlocked(service, new Promise(() => undefined));
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket[leave]();
    if (leave === 'end') socket.destroy();
    await gone;
    await holder.query('COMMIT');
    const addressOf = () =>
      service.sql<{ address: string }>(
        `SELECT host(address::inet) AS address FROM audit_log WHERE table_name = 'teams' AND after ->> 'name' = $1`,
        [`Left by ${leave}`],
      );
    await until(async () => (await addressOf()).length === 1);
    expect(await addressOf()).toEqual([{ address: '127.0.0.1' }]);
  });
});
