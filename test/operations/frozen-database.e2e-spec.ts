import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import request from 'supertest';
import { poolStates } from '@app/platform/database/database-pool';
import { createLogger } from '@app/platform/observability/logger';
import { createApp } from '../../apps/api/configure-app';
import { type DatabaseProxy, startDatabaseProxy } from '../support/faults/database-proxy';
import { type ApiClient, asAdmin } from '../support/service/client';
import { connectTo, createTestDatabase, runStatement, type TestDatabase } from '../support/service/databases';
import { settingsOn, startServiceProcess } from '../support/service/processes';
import {
  startTestService,
  TEST_SECRETS_KEY,
  type TestService,
  testSettings,
} from '../support/service/service';
import { until } from '../support/service/until';

/**
 * Milliseconds: the goal is 8 s, which a busy machine may miss; without limits a request waits
 * until the database is back.
 */
const SLOWEST_ANSWER = 15_000;

/** With the zero that ends a statement on the wire: the isolation of a transaction has the word in it too. */
const COMMIT = 'COMMIT\0';

interface Answer {
  readonly status: number;
  readonly reason: string | undefined;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

async function timed(request: PromiseLike<unknown>): Promise<Answer> {
  const start = performance.now();
  const { status, body, headers } = (await request) as {
    status: number;
    body: { reason?: string };
    headers: Record<string, string | undefined>;
  };
  const ms = performance.now() - start;
  return { status, reason: body.reason, retryAfter: headers['retry-after'], ms };
}

const newOrganisation = (client: ApiClient, name: string) =>
  client.post('/organisations', { name, taxNumber: 'T' });

const requestPools = () => poolStates().filter(({ applicationName }) => applicationName === 'account-api');

it('createApp waits for a database that is slow to answer', async () => {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const settings = testSettings('A');
  try {
    proxy.freeze();
    const starting = createApp({
      settings,
      databaseUrl: proxy.urlOf(database.url),
      secretsKey: TEST_SECRETS_KEY,
      logger: createLogger({ ...settings, logLevel: 'silent' }),
    });
    starting.catch(() => undefined);
    // The first connection had the time of a request.
    await until(() => proxy.taken() > 1);
    proxy.thaw();
    const service = await starting;
    expect(requestPools()).toHaveLength(1);
    await service.close();
    expect(requestPools()).toEqual([]);
  } finally {
    await proxy.close();
    await database.drop();
  }
});

describe('a database that falls silent', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let service: TestService;
  let direct: Client;
  let admin: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startDatabaseProxy(database.url);
    service = await startTestService('A', {
      database: { url: proxy.urlOf(database.url), drop: () => Promise.resolve() },
    });
    direct = await connectTo(database.url);
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    await admin.get('/whoami').expect(200);
  });
  afterEach(async () => {
    proxy.thaw();
    await until(async () => (await admin.get('/whoami')).status === 200);
  });
  afterAll(async () => {
    await direct.end();
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  const named = async (name: string): Promise<number> =>
    (await direct.query('SELECT 1 FROM organisations WHERE name = $1', [name])).rowCount ?? 0;

  it('every request is 503 with Retry-After within 15 s, and 200 as soon as it is back', async () => {
    proxy.freeze();
    const requests = Array.from({ length: 40 }, (_, index) =>
      timed(index % 2 === 0 ? admin.get('/organisations') : newOrganisation(admin, `Frozen ${index}`)),
    );
    requests.push(timed(admin.get('/organisations?format=csv')));
    // Nobody is called active, or let in, without an answer of the database.
    requests.push(timed(admin.post('/access/introspect', { token: admin.hash })));
    requests.push(timed(admin.get('/access/forward')));
    // Others ask all the time: what is sent on a connection that many share is no
    // answer to those who wait on it.
    for (let sent = 0; sent < 60; sent++) {
      requests.push(timed(admin.get('/whoami')));
      await pause(100);
    }
    const answers = await Promise.all(requests);
    for (const { status, retryAfter, ms } of answers) {
      expect({ status, retryAfter: Number(retryAfter) > 0, isSoon: ms < SLOWEST_ANSWER }).toEqual({
        status: 503,
        retryAfter: true,
        isSoon: true,
      });
    }
    // Those that were stuck do not come back to the pool: the next ones are answered at once.
    proxy.thaw();
    await until(async () => (await admin.get('/whoami')).status === 200);
    const after = await Promise.all(Array.from({ length: 20 }, () => timed(admin.get('/whoami'))));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await named('Frozen 1')).toBe(0);
  });

  it('GET /account/password and /account/pages.css are 200 within 4 s, as they need no more of it than a brand', async () => {
    proxy.freeze();
    const ask = (path: string) => timed(request(service.url).get(`/account/${path}`));
    for (const [path, status] of [
      ['password', 200],
      ['unknown', 404],
      ['pages.css', 200],
    ] as const) {
      const { ms, ...answer } = await ask(path);
      expect({ path, status: answer.status, isSoon: ms < 4000 }).toEqual({ path, status, isSoon: true });
    }
  });

  it('GET /whoami finds it out once: idle connections do not each keep somebody waiting', async () => {
    await Promise.all(Array.from({ length: 10 }, () => admin.get('/organisations').expect(200)));
    proxy.freeze();
    await timed(admin.get('/whoami'));
    // All that were idle have been left with the first that was silent. One asks
    // whether the database is back.
    await until(() => proxy.connections() <= 3);
  });

  it('POST /organisations is 503 OUTCOME_UNKNOWN where only COMMIT is not answered, else 503 UNAVAILABLE', async () => {
    proxy.freezeAfter(COMMIT);
    const unknown = await timed(newOrganisation(admin, 'Perhaps'));
    expect(unknown).toMatchObject({ status: 503, reason: 'OUTCOME_UNKNOWN', retryAfter: '5' });
    expect(unknown.ms).toBeLessThan(SLOWEST_ANSWER);
    // It was done, as the answer says it may be.
    expect(await named('Perhaps')).toBe(1);
    proxy.thaw();
    await until(async () => (await admin.get('/whoami')).status === 200);
    proxy.freezeAfter('INSERT INTO');
    const undone = await timed(newOrganisation(admin, 'Surely not'));
    expect(undone).toMatchObject({ status: 503, reason: 'UNAVAILABLE' });
    proxy.cut();
    await until(async () => (await named('Surely not')) === 0);
  });

  it('or takes no connections: /whoami and /health/ready are 503 with Retry-After within 4 s, and 200 once it takes them', async () => {
    const allow = (isAllowed: boolean) =>
      runStatement(
        process.env['TEST_SERVER_URL'] ?? '',
        `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} ALLOW_CONNECTIONS ${isAllowed}`,
      );
    const ask = (path: string) =>
      timed(
        request(service.url)
          .get(path)
          .set('Authorization', admin.hash ?? ''),
      );
    try {
      await allow(false);
      proxy.cut();
      for (const path of ['/health/ready', '/v1/whoami', '/v1/organisations']) {
        const { status, retryAfter, ms } = await ask(path);
        const found = { path, status, retryAfter: Number(retryAfter) > 0, isSoon: ms < 4000 };
        expect(found).toEqual({ path, status: 503, retryAfter: true, isSoon: true });
      }
      expect(await ask('/health/live')).toMatchObject({ status: 200 });
    } finally {
      await allow(true);
    }
    expect(await ask('/health/ready')).toMatchObject({ status: 200 });
  });

  describe('and POST /organisations with Idempotency-Key', () => {
    /**
     * What the same request gets once the database is back: 409 as long as PostgreSQL has not
     * noticed the end of the first.
     */
    const foundOut = async (name: string, key: string): Promise<Record<string, string | undefined>> => {
      let headers: Record<string, string | undefined> = {};
      await until(async () => {
        const answer = await newOrganisation(admin, name).set('Idempotency-Key', key);
        headers = answer.headers;
        expect([201, 409, 503]).toContain(answer.status);
        return answer.status === 201;
      });
      return headers;
    };

    it('gets the stored response of a change whose COMMIT was not answered', async () => {
      proxy.freezeAfter(COMMIT);
      const unknown = await timed(newOrganisation(admin, 'Found').set('Idempotency-Key', 'found'));
      expect(unknown).toMatchObject({ status: 503, reason: 'OUTCOME_UNKNOWN' });
      proxy.thaw();
      expect(await foundOut('Found', 'found')).toMatchObject({ 'idempotency-replayed': 'true' });
      expect(await named('Found')).toBe(1);
    });

    it.each(['INSERT INTO "organisations"', 'INSERT INTO stored_responses'])(
      'does the change once where the connection ends at %s',
      async (words) => {
        const name = `Cut at ${words.replaceAll('"', '')}`;
        const key = words.replaceAll(/\W/g, '');
        proxy.freezeAfter(words);
        const undone = await timed(newOrganisation(admin, name).set('Idempotency-Key', key));
        expect(undone).toMatchObject({ status: 503, reason: 'UNAVAILABLE' });
        proxy.cut();
        proxy.thaw();
        expect((await foundOut(name, key))['idempotency-replayed']).toBeUndefined();
        expect(await named(name)).toBe(1);
        expect(await foundOut(name, key)).toMatchObject({ 'idempotency-replayed': 'true' });
        expect(await named(name)).toBe(1);
      },
    );
  });

  it('GET /whoami is 200 while every POST /organisations waits for COMMIT', async () => {
    await direct.query(`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_lock_shared(4711); RETURN NULL; END $$`);
    await direct.query(`CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON organisations
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`);
    await direct.query('SELECT pg_advisory_lock(4711)');
    try {
      const writes = Array.from({ length: 30 }, (_, index) => timed(newOrganisation(admin, `Held ${index}`)));
      await until(
        async () =>
          (
            await direct.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event = 'advisory'`)
          ).rowCount !== 0,
      );
      const reads = await Promise.all(Array.from({ length: 20 }, () => timed(admin.get('/whoami'))));
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
      for (const { status, ms } of await Promise.all(writes)) {
        expect(status).toBe(503);
        expect(ms).toBeLessThan(SLOWEST_ANSWER);
      }
    } finally {
      await direct.query('SELECT pg_advisory_unlock(4711)');
      await direct.query('DROP FUNCTION hold_commit CASCADE');
    }
  });

  it('POST /organisations is 503 UNAVAILABLE where its transaction met a time-out', async () => {
    await direct.query(`CREATE FUNCTION end_as_idle() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION USING ERRCODE = '25P03'; END $$`);
    await direct.query(`CREATE TRIGGER end_as_idle AFTER INSERT ON organisations
      FOR EACH ROW EXECUTE FUNCTION end_as_idle()`);
    try {
      expect(await timed(newOrganisation(admin, 'Idle'))).toMatchObject({
        status: 503,
        reason: 'UNAVAILABLE',
      });
    } finally {
      await direct.query('DROP FUNCTION end_as_idle CASCADE');
    }
  });

  it('GET /whoami is 200 where last_used_at of logins cannot be written, which is written later', async () => {
    await direct.query(`UPDATE logins SET last_used_at = now() - interval '5 minutes'`);
    await direct.query('BEGIN');
    await direct.query('LOCK TABLE logins IN SHARE ROW EXCLUSIVE MODE');
    try {
      const answer = await timed(admin.get('/whoami'));
      expect(answer.status).toBe(200);
      await until(
        async () =>
          (
            await direct.query('SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass', [
              'logins',
            ])
          ).rowCount === 1,
      );
      await admin.get('/whoami').expect(200);
    } finally {
      await direct.query('ROLLBACK');
    }
    await until(
      async () =>
        (await direct.query(`SELECT 1 FROM logins WHERE last_used_at > now() - interval '1 minute'`))
          .rowCount !== 0,
    );
  });
});

describe('a start of apps/api whose database falls silent', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startDatabaseProxy(database.url);
  });
  afterEach(() => {
    proxy.thaw();
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });

  /**
   * Words of each step's first statement: connecting, the lock, the migrations, the first
   * admin, the service's pool.
   */
  it.each(['pg_is_in_recovery', 'pg_try_advisory_lock', 'migrations', 'graphile_worker', 'ROLE_ADMIN'])(
    'ends with one line about DATABASE_URL: at %s',
    async (words) => {
      proxy.freezeAfter(words);
      const { ended } = startServiceProcess(settingsOn(proxy.urlOf(database.url)));
      const { status, errors } = await ended;
      expect(status).toBe(1);
      expect(errors).toMatch(/^account-api ends with an error: DATABASE_URL [^\n]*\n$/);
    },
  );

  it('ends with one line about DATABASE_URL where nothing listens on its port', async () => {
    await proxy.refuse();
    const { ended } = startServiceProcess({
      DATABASE_URL: proxy.urlOf(database.url),
      SECRETS_KEY: TEST_SECRETS_KEY,
      PORT: '0',
    });
    expect(await ended).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^account-api ends with an error: DATABASE_URL [^\n]*\n$/) as string,
    });
    await proxy.accept();
  });
});
