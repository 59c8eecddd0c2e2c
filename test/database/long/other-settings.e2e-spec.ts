import { Deployment } from '../../../tools/qa/deployment';
import { ScenarioRun } from '../../../tools/qa/run';
import { examplesOf } from '../../../tools/qa/scenario';
import { Session } from '../../../tools/qa/session';
import { SCENARIOS } from '../../contract/scenarios';
import { useMailServer } from '../../support/faults/smtp';
import { runCli } from '../../support/service/cli';
import {
  ASCII_LOCALE,
  createOtherDatabase,
  createTestDatabase,
  runStatement,
  type TestDatabase,
} from '../../support/service/databases';
import { settingsOn, useServiceProcesses } from '../../support/service/processes';
import { ADMIN, PASSKEYS, startTestService, type TestService } from '../../support/service/service';
import { testHooksOf } from '../../support/service/test-hooks';
import { VARIANTS } from '../../support/service/variants';

/** None hides another: each changes what PostgreSQL does with something else. */
const ODD: Readonly<Record<string, string>> = {
  DateStyle: 'SQL, DMY',
  TimeZone: 'Pacific/Chatham',
  IntervalStyle: 'sql_standard',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  bytea_output: 'escape',
  extra_float_digits: '-12',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  gin_fuzzy_search_limit: '1',
  client_encoding: 'LATIN1',
  idle_session_timeout: '500ms',
  idle_in_transaction_session_timeout: '20ms',
  statement_timeout: '200ms',
  lock_timeout: '20ms',
};

/** What the test's own connection needs to look at the rows. */
const OWN_CONNECTION = {
  idle_session_timeout: '0',
  statement_timeout: '0',
  lock_timeout: '0',
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  DateStyle: 'ISO',
  standard_conforming_strings: 'on',
};

const alter = async ({ url }: TestDatabase, settings: Readonly<Record<string, string>>): Promise<void> => {
  const name = new URL(url).pathname.slice(1);
  const statements = Object.entries(settings).map(
    ([key, value]) => `ALTER DATABASE ${name} SET ${key} = '${value}'`,
  );
  await runStatement(url, statements.join('; '));
};

describe.each(VARIANTS)('on a database that changes every setting, Variant %s', (variant) => {
  const mailServer = useMailServer();
  let database: TestDatabase;
  let service: TestService;
  beforeAll(async () => {
    database = await createOtherDatabase(ASCII_LOCALE);
    await alter(database, ODD);
    service = await startTestService(variant, { database, settings: { smtpUrl: mailServer.url } });
    for (const [name, value] of Object.entries(OWN_CONNECTION)) await service.sql(`SET ${name} = '${value}'`);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('responds as written', async () => {
    const session = new Session(new Deployment(service.url), {
      variant,
      adminUsername: ADMIN.username,
      adminPassword: ADMIN.password,
      passkeyOrigin: PASSKEYS.origins[0],
      ...testHooksOf(service, mailServer),
    });
    await session.begin();
    const differing: unknown[] = [];
    for (const scenario of SCENARIOS) {
      const examples = examplesOf(scenario, variant);
      if (examples.length === 0) continue;
      const run = await ScenarioRun.open(scenario, session);
      for (const example of examples) {
        const differs = await run.check(example);
        if (differs.length > 0) differing.push({ scenario: scenario.title, title: example.title, differs });
      }
      expect(await run.close()).toEqual([]);
    }
    expect(differing).toEqual([]);
    expect(await session.end()).toEqual([]);
  });
});

describe('what no connection can change', () => {
  const start = useServiceProcesses();

  it.each([
    ['session_replication_role', 'replica', /session_replication_role = replica instead of origin/],
    ['search_path', 'elsewhere', /search_path .* leads to the schema \(none\).* are in public/],
  ])('%s ends the start with one line, and doctor names it', async (name, value, line) => {
    const database = await createTestDatabase();
    await alter(database, { [name]: value });
    const ended = await start(settingsOn(database.url, {})).ended;
    expect(ended.status).toBe(1);
    expect(ended.errors).toMatch(line);
    expect(ended.errors.trim().split('\n')).toHaveLength(1);
    const doctor = await runCli(database, ['doctor', '--json']);
    expect((doctor.report as unknown as { findings: unknown[] }).findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        state: 'fault',
        found: expect.stringMatching(line) as string,
      }),
    );
    await database.drop();
  });
});
