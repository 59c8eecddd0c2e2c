import { MIGRATIONS } from '@app/migrations/all';
import { explain } from '@app/platform/process/run-process';
import { type CliResult, runCli } from '../support/service/cli';
import { asAdmin } from '../support/service/client';
import {
  connectTo,
  createEmptyDatabase,
  createTestDatabase,
  runStatement,
  type TestDatabase,
} from '../support/service/databases';
import {
  logLinesOf,
  settingsOn,
  startWorkerProcess,
  useServiceProcesses,
} from '../support/service/processes';
import { catalogueOf } from '../support/service/upgrades';

const [InitialSchema] = MIGRATIONS;
const FIRST = InitialSchema?.name ?? '';
const NEWER = 'AddsColour1900000000000';

const start = useServiceProcesses();
const made: TestDatabase[] = [];
afterAll(() => Promise.all(made.map((database) => database.drop())));

async function databaseAfter(...statements: readonly string[]): Promise<TestDatabase> {
  const database = await createTestDatabase();
  made.push(database);
  for (const statement of statements) await runStatement(database.url, statement);
  return database;
}

async function rowsOf(database: TestDatabase, query: string): Promise<unknown[]> {
  const client = await connectTo(database.url);
  const { rows } = await client.query(query);
  await client.end();
  return rows as unknown[];
}

const unwell = ({ report }: CliResult): object[] =>
  (report['findings'] as { state: string; check: string }[]).filter(
    ({ state, check }) => state === 'fault' || (check === 'schema' && state !== 'ok'),
  );

it('cli migrate keeps the digest of each migration that ran in schema_digests', async () => {
  const database = await createEmptyDatabase();
  made.push(database);
  expect(await runCli(database, ['migrate'])).toMatchObject({ exitCode: 0 });
  expect(await rowsOf(database, 'SELECT migration, sha256 AS digest FROM schema_digests')).toEqual([
    { migration: FIRST, digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  ]);
  expect(await runCli(database, ['migrate'])).toMatchObject({
    exitCode: 0,
    output: 'The schema is up to date\n',
  });
});

it.each([
  {
    found: 'the digest of another SQL',
    statements: [`UPDATE schema_digests SET sha256 = repeat('0123456789abcdef', 4)`],
    told: 'digest 0123456789ab',
  },
  { found: 'no digest', statements: ['DELETE FROM schema_digests'], told: 'without a digest' },
  { found: 'no table of digests', statements: ['DROP TABLE schema_digests'], told: 'without a digest' },
])(
  'every start and cli command ends on $found in schema_digests with a line that says what to do',
  async ({ statements, told }) => {
    const database = await databaseAfter(...statements);
    const before = await catalogueOf(database.url);
    const sentence = new RegExp(
      `its ${FIRST} is not that of this build \\(${told}, here [0-9a-f]{12}\\).* Run the build that made it, or take a new database`,
    );
    const line = (program: string): unknown =>
      expect.stringMatching(
        new RegExp(`^${program} ends with an error: [^\\n]*${sentence.source}[^\\n]*\\n$`),
      ) as unknown;
    const settings = settingsOn(database.url);
    const [api, worker] = await Promise.all([start(settings).ended, startWorkerProcess(settings).ended]);
    expect(api).toMatchObject({ status: 1, errors: line('account-api') });
    expect(worker).toMatchObject({ status: 1, errors: line('account-worker') });
    for (const args of [['migrate'], ['migrate', '--dry-run'], ['verify'], ['after-restore', '--yes']]) {
      const { exitCode, output, messages } = await runCli(database, args);
      expect({ args, exitCode, output, messages }).toEqual({
        args,
        exitCode: 1,
        output: '',
        messages: [expect.stringMatching(sentence)],
      });
    }
    const doctor = await runCli(database, ['doctor', '--json']);
    expect(doctor.exitCode).toBe(3);
    expect(unwell(doctor)).toEqual([
      { check: 'database', state: 'fault', found: expect.stringMatching(sentence) as string },
    ]);
    expect(await catalogueOf(database.url)).toEqual(before);
    expect(await rowsOf(database, 'SELECT FROM users')).toEqual([]);
  },
);

it('every start and cli command warns where a newer build has run more migrations, and goes on', async () => {
  const database = await databaseAfter(
    `INSERT INTO migrations (timestamp, name) VALUES (1900000000000, '${NEWER}')`,
    `INSERT INTO schema_digests (migration, sha256) VALUES ('${NEWER}', repeat('0', 64))`,
  );
  const warned = `the database has run 1 migration that this build does not know (${NEWER}): a newer build has been here`;
  const isWarned = (output: string): unknown =>
    logLinesOf(output).some(({ level, msg }) => level === 40 && msg === warned);
  const { address, stop } = start(settingsOn(database.url));
  const admin = await asAdmin({ url: await address });
  await admin.get('/organisations/1').expect(200);
  expect(isWarned((await stop()).output)).toBe(true);

  const worker = startWorkerProcess(settingsOn(database.url));
  await new Promise<void>((settle) =>
    worker.child.stdout.on('data', () => {
      if (worker.output().includes('worker is ready')) settle();
    }),
  );
  expect(isWarned((await worker.stop()).output)).toBe(true);

  expect(await runCli(database, ['migrate'])).toMatchObject({
    exitCode: 0,
    output: 'The schema is up to date\n',
    messages: [warned],
  });
  const verified = await runCli(database, ['verify', '--json']);
  expect(verified).toMatchObject({ exitCode: 0, messages: [warned], report: { isWhole: true } });
  const doctor = await runCli(database, ['doctor', '--json']);
  expect(doctor.exitCode).toBe(0);
  expect(unwell(doctor)).toEqual([
    { check: 'schema', state: 'warning', found: warned, remedy: expect.any(String) as string },
  ]);
});

it('a DELETE of audit_log that its trigger refuses is explained as the trigger, not as a missing right', async () => {
  const database = await databaseAfter();
  const refused = await runStatement(database.url, 'DELETE FROM audit_log').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: '42501' });
  expect(explain(refused)).toEqual([
    'a trigger of the database refuses this, whatever the role may do: audit_log is append-only: ' +
      'DELETE is refused. docs/audit.md says how its owner ends the retention of old rows.',
  ]);
});
