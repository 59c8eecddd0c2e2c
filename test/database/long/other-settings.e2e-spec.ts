import { SCENARIOS } from '../../../qa/scenarios/all';
import { VARIANTS } from '../../../qa/variants';
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
import { beginSession, expectAsWritten } from '../../support/service/scenario-runs';
import { useServiceOn } from '../../support/service/service';
import { testHooksOf } from '../../support/service/test-hooks';

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

describe.each(VARIANTS)(
  'every scenario in Variant %s, on a database that changes every setting,',
  (variant) => {
    const mailServer = useMailServer();
    const service = useServiceOn(
      variant,
      async () => {
        const database = await createOtherDatabase(ASCII_LOCALE);
        await alter(database, ODD);
        return database;
      },
      () => ({ settings: { smtpUrl: mailServer.url } }),
    );
    beforeAll(async () => {
      for (const [name, value] of Object.entries(OWN_CONNECTION))
        await service.sql(`SET ${name} = '${value}'`);
    });

    it('responds as written', async () => {
      const session = await beginSession(service, variant, testHooksOf(service, mailServer));
      await expectAsWritten(SCENARIOS, session);
      expect(await session.end()).toEqual([]);
    });
  },
);

describe('a setting of the database that no connection can change:', () => {
  const start = useServiceProcesses();

  it.each([
    ['session_replication_role', 'replica', /session_replication_role = replica instead of origin/],
    ['search_path', 'elsewhere', /search_path .* leads to the schema \(none\).* are in public/],
  ])('%s ends the start with one line, and cli doctor names it', async (name, value, line) => {
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
