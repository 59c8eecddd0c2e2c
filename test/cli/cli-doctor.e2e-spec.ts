import { utimesSync } from 'node:fs';
import { readSettings } from '@app/config/env';
import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { createLogger } from '@app/platform/observability/logger';
import { warnOfDeployment } from '@app/service/deployment/findings';
import { makeOrganisation } from '../support/factories/factories';
import { useMailServer } from '../support/faults/smtp';
import { runCli } from '../support/service/cli';
import { useFiles } from '../support/service/files';
import { useService } from '../support/service/service';

interface Report {
  readonly isWell: boolean;
  readonly findings: readonly { check: string; state: string; found: string; remedy?: string }[];
}

const service = useService('A', { settings: { corsOrigins: ['https://panel.example.com'] } });
const mail = useMailServer();
const files = useFiles();

async function doctor(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { exitCode, report } = await runCli(service.database, ['doctor', '--json', ...args], { env });
  const { isWell, findings } = report as unknown as Report;
  return { exitCode, isWell, states: findings.map(({ check, state }) => `${check}: ${state}`), findings };
}

it('cli doctor finds a deployment well, and --mail sends a test mail', async () => {
  const { exitCode, isWell, states } = await doctor(
    ['--mail', 'jan@example.com', '--backup', files.write('backup.dump', 'rows')],
    {
      BCRYPT_COST: '10',
      SMTP_URL: mail.url,
      MAIL_FROM: 'no-reply@panel.example.com',
      PANEL_URL: 'https://panel.example.com',
      SUPPORT_URL: 'help@example.com',
      PUBLIC_URL: service.url,
      CORS_ORIGINS: 'https://panel.example.com',
      RESET_URL_TEMPLATE: 'https://panel.example.com/reset/{token}',
      INVITATION_URL_TEMPLATE: 'https://panel.example.com/register/{token}',
    },
  );
  expect(states).toEqual([
    // PUBLIC_URL leads to this machine.
    'settings: warning',
    'database: ok',
    // Tests work as the superuser of their server.
    'role: warning',
    'schema: ok',
    'jobs: ok',
    'admins: ok',
    'keys: ok',
    'clock: ok',
    'mail: ok',
    'PUBLIC_URL: ok',
    'CORS: ok',
    'proxies: ok',
    'disk: ok',
    'backup: ok',
  ]);
  expect({ exitCode, isWell }).toEqual({ exitCode: 0, isWell: true });
  expect(mail.mails.map(({ to }) => to)).toEqual([['jan@example.com']]);
});

it('cli doctor names each fault with what to do, and exits with 3', async () => {
  const backup = files.write('old.dump', 'rows');
  utimesSync(backup, 0, 0);
  const { exitCode, findings } = await doctor(['--backup', backup], {
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_URL: 'https://127.0.0.1:1',
    API_VARIENT: 'B',
  });
  expect(exitCode).toBe(3);
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  expect(of('settings')).toContainEqual(
    expect.objectContaining({
      state: 'warning',
      found: 'unknown setting API_VARIENT; did you mean API_VARIANT?',
    }),
  );
  expect(of('mail')).toMatchObject([
    {
      state: 'fault',
      found: expect.stringContaining('ECONNREFUSED') as string,
      remedy: expect.stringContaining('check host and port in SMTP_URL') as string,
    },
  ]);
  expect(of('PUBLIC_URL')).toMatchObject([{ state: 'warning', remedy: expect.any(String) as string }]);
  expect(of('proxies')).toMatchObject([{ state: 'warning' }]);
  expect(of('backup')).toMatchObject([{ state: 'fault' }]);
  expect(of('keys')).toMatchObject([{ state: 'ok' }]);
  await service.sql(
    `UPDATE users SET totp_secret = 'v1.00000000.AAAA', second_factor = 'enabled' WHERE id = 1`,
  );
  const { findings: later } = await doctor([], {});
  await service.sql(`UPDATE users SET totp_secret = NULL, second_factor = 'disabled' WHERE id = 1`);
  expect(later).toContainEqual(
    expect.objectContaining({
      check: 'keys',
      state: 'fault',
      found: expect.stringContaining('cannot open 1 TOTP secret') as string,
    }),
  );
});

it('cli doctor names customers with more than 50 organisations beneath that are no resellers', async () => {
  const reseller = await makeOrganisation(service, { name: 'Large' });
  await service.sql`INSERT INTO organisations (name, tax_number, parent_id, reseller_id)
    SELECT 'Beneath ' || n, 'T', 1, ${reseller}::integer FROM generate_series(1, 51) n`;
  const { findings } = await doctor([], {});
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: 'customers',
      state: 'warning',
      found: `1 with more than 50 organisations beneath: Large (${reseller}) 51`,
    }),
  );
  await service.sql`UPDATE organisations SET organisation_type = 2, is_reseller = true WHERE id = ${reseller}`;
  expect((await doctor([], {})).states.join()).not.toContain('customers');
});

it('cli doctor says what the mail server refuses, and for how long mails wait', async () => {
  await service.sql`SELECT graphile_worker.add_job('mail.send', '{}', run_at => now() + interval '1 day')`;
  const { findings: waiting } = await doctor([], {});
  expect(waiting).toContainEqual(
    expect.objectContaining({
      check: 'mails',
      state: 'ok',
      found: expect.stringMatching(/^1 on their way, the oldest for \d+ s$/) as string,
    }),
  );
  await service.sql(`UPDATE ${JOB_TABLE} SET attempts = 1, last_error = '452 too many recipients'`);
  const { findings: refused } = await doctor([], {});
  expect(refused).toContainEqual(
    expect.objectContaining({
      check: 'mails',
      state: 'warning',
      remedy: expect.stringMatching(/452 too many recipients; .*ask its operator for more/) as string,
    }),
  );
  // One failed a quarter of an hour ago and waits for hours. One has failed since, and is due. One is at its
  // first try.
  await service.sql(
    `UPDATE ${JOB_TABLE} SET attempts = 9, run_at = now() + interval '2 hours', last_error = 'connect ECONNREFUSED'`,
  );
  await service.sql`SELECT graphile_worker.add_job('mail.send', '{}') FROM generate_series(1, 2)`;
  await service.sql(
    `UPDATE ${JOB_TABLE} SET attempts = 1, run_at = now() - interval '1 second', last_error = '550 unknown sender'
     WHERE id = (SELECT max(id) - 1 FROM ${JOB_TABLE})`,
  );
  await service.sql(
    `UPDATE ${JOB_TABLE} SET attempts = 1, locked_at = now(), locked_by = 'worker'
     WHERE id = (SELECT max(id) FROM ${JOB_TABLE})`,
  );
  const { findings: later } = await doctor([], {});
  expect(later).toContainEqual(
    expect.objectContaining({
      check: 'mails',
      state: 'warning',
      remedy: expect.stringContaining('550 unknown sender') as string,
    }),
  );
  await service.sql(`DELETE FROM ${JOB_TABLE}`);
});

it('cli doctor names a TEST_CLOCK that ends the start, and warns of MAIL_FROM, PANEL_URL, SUPPORT_URL and PUBLIC_URL', async () => {
  const { exitCode, findings } = await doctor([], {
    TEST_CLOCK: 'on',
    SMTP_URL: mail.url,
    PUBLIC_URL: 'http://api.example.invalid',
  });
  expect(exitCode).toBe(3);
  expect(findings).toContainEqual({
    check: 'TEST_CLOCK',
    state: 'fault',
    found:
      'TEST_CLOCK is on, but this database is in use already and not marked for tests: it takes an empty one at its first start',
    remedy: 'the service does not start so',
  });
  const warned = findings.filter(({ check }) => check === 'settings').map(({ found }) => found);
  expect(warned).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^MAIL_FROM not set: mails leave as no-reply@localhost\.localdomain/),
      expect.stringMatching(/^PANEL_URL not set: pages and mails end without a way to log in/),
      expect.stringMatching(/^SUPPORT_URL not set: pages and mails name nobody to ask/),
      expect.stringMatching(/^PUBLIC_URL without https/),
    ]),
  );
});

it('cli doctor names wrong settings and a database out of reach in a table, and makes no embedded one', async () => {
  const url = new URL(service.database.url);
  url.port = '1';
  const [settings, away, none] = await Promise.all([
    runCli(service.database, ['doctor'], { env: { CORS_ORIGINS: '*', PORT: 'x' } }),
    runCli({ url: url.href }, ['doctor']),
    runCli(undefined, ['doctor', '--json'], { env: { DATA_DIR: files.path('none') } }),
  ]);
  expect(settings.exitCode).toBe(3);
  expect(settings.output).toMatch(
    /^Check {5}State {2}Found .*\nsettings {2}fault {2}PORT must .*\nsettings {2}fault {2}CORS_ORIGINS must /,
  );
  expect(settings.output).toMatch(/\n2 faults, 0 warnings\n$/);
  expect(away.exitCode).toBe(3);
  expect(away.output).toMatch(/\ndatabase {4}fault {4}DATABASE_URL names a server that cannot be reached/);
  expect((none.report as unknown as Report).findings).toContainEqual(
    expect.objectContaining({ check: 'database', state: 'warning' }),
  );
  expect(none.exitCode).toBe(0);
});

it('cli doctor names tables with few ids left (rule running 30)', async () => {
  await service.sql(`SELECT setval('invitations_id_seq', 1800000000)`);
  expect((await doctor([], {})).findings).toContainEqual({
    check: 'ids',
    state: 'warning',
    found: expect.stringContaining('invitations_id_seq: 1800000000 of 2147483647') as string,
    remedy: expect.stringContaining('wider ids') as string,
  });
  await service.sql(`SELECT setval('invitations_id_seq', 1)`);
  expect((await doctor([], {})).findings).not.toContainEqual(expect.objectContaining({ check: 'ids' }));
});

it('cli doctor and a start name a collation that has changed since the text was sorted (rule running 27)', async () => {
  const versions = await service.sql<{ collversion: string }>`
    SELECT collversion FROM pg_collation WHERE collname = 'und-x-icu'`;
  const setVersion = (version = ''): Promise<unknown> =>
    service.sql`UPDATE pg_collation SET collversion = ${version} WHERE collname = 'und-x-icu'`;
  await setVersion('1.0');
  const warnings: string[] = [];
  const logger = createLogger(
    { logLevel: 'warn', variant: 'A', tracing: false },
    { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  );
  try {
    const { findings } = await doctor([], {});
    expect(findings).toContainEqual({
      check: 'collation',
      state: 'warning',
      found: expect.stringMatching(/another version of the system \(und-x-icu: 1\.0, now /) as string,
      remedy: expect.stringContaining('REINDEX DATABASE') as string,
    });
    await warnOfDeployment(readSettings({}), service.database.url, logger);
  } finally {
    await setVersion(versions[0]?.collversion);
  }
  expect(warnings).toContainEqual(expect.stringMatching(/another version of the system .*REINDEX/));
  expect((await doctor([], {})).findings).not.toContainEqual(expect.objectContaining({ check: 'collation' }));
});
