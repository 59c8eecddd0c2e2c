import { getDataSourceToken } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { assertTestClockFits } from '@app/edge/test-clock/test-clock.mark';
import { UNMOVED_INSTANTS } from '@app/edge/test-clock/test-clock.service';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { queueJob } from '@app/platform/jobs/queue-job';
import { ensureFirstAdmin } from '../../../apps/api/prepare-database';
import { EXPIRY_SCENARIOS } from '../../../qa/scenarios/expiry.scenarios';
import type { Session } from '../../../qa/session';
import { VARIANTS } from '../../../qa/variants';
import { makeCustomer, PASSWORD } from '../../support/factories/factories';
import { useMailServer } from '../../support/faults/smtp';
import { atOnce } from '../../support/service/at-once';
import { anonymous, asAdmin } from '../../support/service/client';
import { createTestDatabase, type TestDatabase } from '../../support/service/databases';
import { deleteJobs } from '../../support/service/jobs';
import { settingsOn, spawnSource, startServiceProcess } from '../../support/service/processes';
import { beginSession, describeScenarios } from '../../support/service/scenario-runs';
import {
  ADMIN,
  describeService,
  startTestService,
  type TestService,
  useService,
} from '../../support/service/service';
import { testHooksOf } from '../../support/service/test-hooks';

const FIRST_ADMIN = { adminUsername: ADMIN.username, adminPassword: ADMIN.password };

const HOUR = 3600;

interface Instants {
  readonly column: string;
  readonly rows: number;
  readonly sum: string;
}

/** The sum over each column of instants, and over everything else that its table holds. */
async function instantsOf({ sql }: TestService): Promise<{ instants: Instants[]; rest: object[] }> {
  const columns = await sql<{ table: string; name: string }>(
    `SELECT table_name AS table, column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' ORDER BY 1, 2`,
  );
  const instants: Instants[] = [];
  for (const { table, name } of columns) {
    const [found] = await sql<{ rows: number; sum: string }>(
      `SELECT count(${name})::integer AS rows, coalesce(sum(extract(epoch FROM ${name})), 0)::text AS sum FROM ${table}`,
    );
    instants.push({ column: `${table}.${name}`, ...(found as Omit<Instants, 'column'>) });
  }
  const rest: object[] = [];
  for (const table of new Set(columns.map((column) => column.table))) {
    if (table === 'audit_log') continue;
    const names = columns.filter((column) => column.table === table).map(({ name }) => `'${name}'`);
    rest.push(
      ...(await sql(
        `SELECT '${table}' AS table, md5(string_agg(row, '' ORDER BY row)) AS rest
         FROM (SELECT (to_jsonb(t) - ARRAY[${names.join()}])::text AS row FROM ${table} t) rows`,
      )),
    );
  }
  return { instants, rest };
}

const triggersOf = ({ sql }: TestService): Promise<object[]> =>
  sql(`SELECT tgrelid::regclass::text AS table, tgname AS name, tgenabled AS enabled FROM pg_trigger
       WHERE NOT tgisinternal ORDER BY 1, 2`);

describe.each(VARIANTS)('POST /testClock of Variant %s', (variant) => {
  const mailServer = useMailServer();
  const service = useService(variant, () => ({ settings: { smtpUrl: mailServer.url, testClock: true } }));
  let session: Session;
  beforeAll(async () => {
    session = await beginSession(service, variant, { testClock: true, ...testHooksOf(service, mailServer) });
  });

  describeScenarios(EXPIRY_SCENARIOS, variant, () => session);

  it('makes all that is stored older, and changes nothing else', async () => {
    await makeCustomer(service);
    const before = await instantsOf(service);
    const triggers = await triggersOf(service);
    const admin = await asAdmin(service);
    await service.sql(`UPDATE logins SET last_used_at = now()`);
    const { instants, rest } = await instantsOf(service);
    await admin.post('/testClock', { seconds: 5 * HOUR }).expect(204);
    const after = await instantsOf(service);
    const expected = instants
      .filter(({ column }) => column !== 'audit_log.at')
      .map(({ column, rows, sum }) => ({
        column,
        sum: Number(sum) - (column === 'organisations.next_invoice_run' ? 0 : rows * 5 * HOUR),
      }));
    expect(
      after.instants
        .filter(({ column }) => column !== 'audit_log.at')
        .map(({ column, sum }) => ({ column, sum: Number(sum) })),
    ).toEqual(expected);
    expect(after.rest).toEqual(rest);
    expect(await triggersOf(service)).toEqual(triggers);
    expect(before.instants.filter(({ rows }) => rows > 0).length).toBeGreaterThan(8);
    // The log tells it once, and who did it; itself it stays.
    const [logged] = await service.sql(
      `SELECT table_name AS "table", actor_user_id AS actor, after FROM audit_log ORDER BY id DESC LIMIT 1`,
    );
    expect(logged).toMatchObject({ table: 'test_clock', actor: 1 });
    const at = (all: readonly Instants[]): Instants | undefined =>
      all.find(({ column }) => column === 'audit_log.at');
    expect(at(after.instants)?.rows).toBe((at(instants)?.rows ?? 0) + 1);
    expect(Number(at(after.instants)?.sum)).toBeGreaterThan(Number(at(instants)?.sum));
  });

  it('makes jobs older', async () => {
    const dataSource = service.app.get<DataSource>(getDataSourceToken());
    const runAt = new Date(Date.now() + 10 * HOUR * 1000);
    await dataSource.transaction((manager) =>
      queueJob(manager, {
        task: 'mail.send',
        payload: { source: 'stored', id: 1 },
        runAt,
        priority: 'urgent',
      }),
    );
    const admin = await asAdmin(service);
    await admin.post('/testClock', { seconds: HOUR }).expect(204);
    const [job] = await service.sql<{ runAt: Date; payload: object }>(
      `SELECT run_at AS "runAt", payload FROM ${JOB_TABLE} ORDER BY id DESC LIMIT 1`,
    );
    expect(job?.runAt).toEqual(new Date(runAt.getTime() - HOUR * 1000));
    expect(job?.payload).toEqual({ source: 'stored', id: 1 });
    await deleteJobs(service);
  });

  it('counts sixteen moves at once, beside logins, each that was not refused', async () => {
    const { custadmin } = await makeCustomer(service);
    const moved = async (): Promise<number> => {
      const [clock] = await service.sql<{ seconds: number }>(
        'SELECT moved_seconds::integer AS seconds FROM test_clock',
      );
      return clock?.seconds as number;
    };
    const admin = await asAdmin(service);
    const credentials = { username: custadmin.username, password: PASSWORD };
    const before = await moved();
    const [moves, logins] = await Promise.all([
      atOnce(16, () => admin.post('/testClock', { seconds: 60 })),
      atOnce(16, () => anonymous(service).post('/login', credentials)),
    ]);
    // On a busy machine the last of them wait for a lock longer than anybody may.
    const refused = [...moves, ...logins].filter(({ status }) => status === 503);
    expect(refused.every(({ headers }) => headers['retry-after'] !== undefined)).toBe(true);
    const done = moves.filter(({ status }) => status === 204);
    expect(done.length).toBeGreaterThan(0);
    expect(logins.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(done.length + logins.filter(({ status }) => status === 200).length + refused.length).toBe(32);
    expect((await moved()) - before).toBe(done.length * 60);
  });

  it('refuses more than twenty years in all', async () => {
    const statuses: number[] = [];
    for (let move = 0; move < 3; move++) {
      const mover = await asAdmin(service);
      const { status, body } = await mover.post('/testClock', { seconds: 3650 * 86_400 });
      statuses.push(status);
      if (status === 400) expect(body).toMatchObject({ reason: 'LIMIT_REACHED' });
    }
    expect(statuses).toEqual([204, 400, 400]);
  });

  it('is left out of the interface description, which is the same for all services', async () => {
    const description = await (await fetch(`${service.url}/docs/openapi.json`)).text();
    expect(description).toContain('/v1/login');
    expect(description).not.toContain('testClock');
  });

  // The last one: nothing gives the mark back.
  it('moves nothing in a database that has lost its mark', async () => {
    const admin = await asAdmin(service);
    const created = () => service.sql`SELECT id, created_at FROM users ORDER BY id`;
    const before = await created();
    await service.sql`DELETE FROM test_clock`;
    await admin.post('/testClock', { seconds: HOUR }).expect(404);
    expect(await created()).toEqual(before);
  });
});

describeService(VARIANTS, 'an ordinary service of Variant %s', (service) => {
  it('knows no POST /testClock', async () => {
    const admin = await asAdmin(service);
    await admin.post('/testClock', { seconds: 60 }).expect(404);
    await anonymous(service).post('/testClock', { seconds: 60 }).expect(404);
    const description = await (await fetch(`${service.url}/docs/openapi.json`)).text();
    expect(description).toContain('/v1/login');
    expect(description).not.toContain('testClock');
  });

  it('has a database that cannot be marked any more, not even by hand', async () => {
    await expect(service.sql('INSERT INTO test_clock DEFAULT VALUES')).rejects.toThrow(/in use/);
    await expect(
      service.sql(`SET session_replication_role = replica; INSERT INTO test_clock DEFAULT VALUES`),
    ).rejects.toThrow(/in use/);
    await service.sql('SET session_replication_role = origin');
  });

  it('has every instant that does not move, each with its reason', async () => {
    const columns = (await instantsOf(service)).instants.map(({ column }) => column);
    expect(columns).toEqual(expect.arrayContaining(Object.keys(UNMOVED_INSTANTS)));
    expect(Object.values(UNMOVED_INSTANTS).every((reason) => /\w+ \w+/.test(reason))).toBe(true);
  });
});

describe('TEST_CLOCK', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const settings = (testClock: boolean) => settingsOn(database.url, { TEST_CLOCK: testClock ? 'on' : 'off' });

  async function outputOf(
    main: 'api' | 'worker',
    testClock: boolean,
  ): Promise<{ status: number | null; errors: string }> {
    const child = spawnSource(`apps/${main}/main.ts`, [], settings(testClock));
    let errors = '';
    child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
    child.stdout.resume();
    const status = await new Promise<number | null>((settle) => child.once('close', settle));
    return { status, errors };
  }

  it('marks an empty database at its first start, says so loudly, and only ever starts with it again', async () => {
    for (let start = 1; start <= 2; start++) {
      const { child, address, ended } = startServiceProcess(settings(true));
      await address;
      child.kill('SIGTERM');
      const { output } = await ended;
      expect(output).toContain('TEST CLOCK     ON: admins can move the clock of this service');
      expect(output).toContain('TEST_CLOCK is on: admins can move the clock');
    }
    for (const main of ['api', 'worker'] as const) {
      const { status, errors } = await outputOf(main, false);
      expect(status).toBe(1);
      expect(errors).toMatch(/: TEST_CLOCK must be on: this database is marked for tests.*\n$/);
    }
  });

  it('refuses a database that is in use, in the service and in the worker', async () => {
    await ensureFirstAdmin(database.url, { ...FIRST_ADMIN, bcryptCost: 4, testClock: false });
    for (const main of ['api', 'worker'] as const) {
      const { status, errors } = await outputOf(main, true);
      expect(status).toBe(1);
      expect(errors).toMatch(/: TEST_CLOCK is on, but this database is in use already.*\n$/);
    }
  });

  it('refuses a database into which somebody imported organisations before the first start', async () => {
    const service = await startTestService('A', { database });
    await service.sql('ALTER TABLE audit_log DISABLE TRIGGER USER; DELETE FROM audit_log');
    await service.sql(`
      ALTER TABLE users DISABLE TRIGGER USER; DELETE FROM users; ALTER TABLE audit_log ENABLE TRIGGER USER`);
    await service.stop();
    await expect(
      ensureFirstAdmin(database.url, { ...FIRST_ADMIN, bcryptCost: 4, testClock: true }),
    ).rejects.toThrow(/^TEST_CLOCK is on, but this database is in use already/);
  });

  it('is decided once when processes with and without it start at the same time', async () => {
    const start = async (testClock: boolean): Promise<boolean> => {
      await assertTestClockFits(database.url, testClock);
      await ensureFirstAdmin(database.url, { ...FIRST_ADMIN, bcryptCost: 4, testClock });
      await assertTestClockFits(database.url, testClock);
      return testClock;
    };
    const starts = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => start(index % 2 === 0)));
    const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(started.length).toBeGreaterThan(0);
    expect(new Set(started).size).toBe(1);
  });
});
