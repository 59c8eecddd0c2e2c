import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { directDatabase } from '@app/platform/database/data-source-options';
import { isPlainEmailAddress } from '@app/platform/dto/text-rules';
import { hasEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { countJobs } from '@app/platform/jobs/job-tables';
import { mailTransport } from '@app/mail/mail-transport';
import { explain } from '@app/platform/process/run-process';
import { OperatorError, SettingError, type Settings } from '@app/platform/process/settings';
import { checkStoredSecrets } from '@app/service/deployment/stored-secrets';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import { readCheckedSettings } from '@app/service/checked-settings';
import {
  clockFinding,
  type Finding,
  folderFinding,
  mailFinding,
  inMegabytes,
  proxyFinding,
} from '@app/service/deployment/findings';
import { startWarnings } from '../../../config/start-warnings';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { connected, pendingMigrations, withDatabaseUrl } from '../database';
import { EXIT, type Outcome, WrongUse } from '../outcome';
import { tableOf, type Terminal } from '../terminal';

interface DoctorOptions extends CommonOptions {
  readonly mail?: string;
  readonly backup?: string;
}

const OLDEST_POSTGRESQL = 150_000;
/** Hours: a daily backup with some time to run. */
const OLDEST_BACKUP = 26;
/** Seconds that a due job waits at most while a worker runs. */
const LONGEST_WAIT = 300;
/** Milliseconds for an answer at PUBLIC_URL. */
const PATIENCE = 5000;

const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });

async function examine(terminal: Terminal, options: DoctorOptions): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = await readCheckedSettings();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const remedy = 'docs/settings.md; everything else is checked once the settings are right';
    return error.faults.map((found) => ({ check: 'settings', state: 'fault', found, remedy }));
  }
  const warnings = startWarnings(settings);
  return [
    ...(warnings.length === 0 ? [ok('settings', 'no fault')] : []),
    ...warnings.map((found): Finding => ({ check: 'settings', state: 'warning', found })),
    ...(await databaseFindings(settings, terminal)),
    options.mail === undefined ? await mailFinding(settings) : await sentMailFinding(settings, options.mail),
    ...(await publicFindings(settings)),
    proxyFinding(settings),
    await folderFinding(settings),
    ...(options.backup === undefined ? [] : [backupFinding(options.backup)]),
  ];
}

async function databaseFindings(settings: Settings, terminal: Terminal): Promise<Finding[]> {
  if (settings.databaseUrl === undefined && !hasEmbeddedPostgres(settings.dataDir)) {
    const remedy = 'npm start creates it; with customers, set DATABASE_URL';
    return [
      { check: 'database', state: 'warning', found: `none yet in DATA_DIR ${settings.dataDir}`, remedy },
    ];
  }
  try {
    return await withDatabaseUrl(settings, terminal, async (databaseUrl, pooler) => [
      ...(await connected({ databaseUrl, pooler }, (dataSource) => findingsIn(dataSource, settings))),
      await keysFinding(settings, databaseUrl),
      await clockFinding({ url: databaseUrl, pooler }),
    ]);
  } catch (error) {
    const [found = ''] = explain(error);
    const check = found.includes('pooler') ? 'pooler' : 'database';
    const remedy = error instanceof OperatorError ? undefined : 'check DATABASE_URL and the server';
    return [
      {
        check,
        state: 'fault',
        found: found.split('\n', 1)[0] ?? '',
        ...(remedy !== undefined && { remedy }),
      },
    ];
  }
}

async function findingsIn(dataSource: DataSource, settings: Settings): Promise<Finding[]> {
  const [about] = await dataSource.query<
    [{ version: number; name: string; size: string; role: string; isSuper: boolean; mayCreate: boolean }]
  >(
    `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS name,
       pg_database_size(current_database())::text AS size, current_user AS role, rolsuper AS "isSuper",
       has_schema_privilege('public', 'CREATE') AND has_database_privilege(current_database(), 'CREATE') AS "mayCreate"
     FROM pg_roles WHERE rolname = current_user`,
  );
  const pending = await pendingMigrations(dataSource);
  const isMade = pending.length === 0;
  return [
    about.version < OLDEST_POSTGRESQL
      ? {
          check: 'database',
          state: 'fault',
          found: `PostgreSQL ${about.name}`,
          remedy: 'use PostgreSQL 15 or newer',
        }
      : ok('database', `PostgreSQL ${about.name}, ${inMegabytes(Number(about.size))}`),
    ...(settings.databasePooler === undefined
      ? []
      : [ok('pooler', `DATABASE_POOLER ${settings.databasePooler}`)]),
    roleFinding(about, settings),
    isMade
      ? ok('schema', 'up to date')
      : {
          check: 'schema',
          state: 'warning',
          found: `${pending.length} migrations are missing`,
          remedy: 'run `migrate`, or start the service',
        },
    ...(isMade ? [await jobsFinding(dataSource), await adminFinding(dataSource)] : []),
  ];
}

function roleFinding(
  { role, isSuper, mayCreate }: { role: string; isSuper: boolean; mayCreate: boolean },
  { databaseUrl }: Settings,
): Finding {
  const check = 'role';
  if (!mayCreate) {
    const found = `${role} may not create what migrations need`;
    return {
      check,
      state: 'fault',
      found,
      remedy: 'run `migrate` as the owner first, or use a role that may: deploy/postgres-role.sh makes one',
    };
  }
  if (isSuper && databaseUrl !== undefined) {
    const remedy = 'use a role that owns its database and nothing else: deploy/postgres-role.sh';
    return { check, state: 'warning', found: `${role} is a superuser`, remedy };
  }
  return ok(check, role);
}

async function jobsFinding(dataSource: DataSource): Promise<Finding> {
  const jobs = await dataSource.query<{ failed: number; oldestDue: number | null }[]>(countJobs(100_000));
  const waited = Math.round(Math.max(0, ...jobs.map(({ oldestDue }) => oldestDue ?? 0)));
  const failed = jobs.reduce((sum, job) => sum + job.failed, 0);
  if (waited > LONGEST_WAIT) {
    const found = `the oldest job is ${waited} s late`;
    return { check: 'jobs', state: 'fault', found, remedy: 'start a process with WORKER=on, or apps/worker' };
  }
  if (failed > 0) {
    const found = `${failed} jobs were given up after their last try`;
    return { check: 'jobs', state: 'warning', found, remedy: '`mail show` names the mails and their errors' };
  }
  return ok('jobs', 'none is late, none was given up');
}

async function adminFinding(dataSource: DataSource): Promise<Finding> {
  const [{ count }] = await dataSource.query<[{ count: number }]>(
    `SELECT count(*) FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']`,
  );
  return count > 0
    ? ok('admins', `${count} enabled`)
    : {
        check: 'admins',
        state: 'warning',
        found: 'nobody may do everything',
        remedy: '`create-admin`, or start the service',
      };
}

async function keysFinding(settings: Settings, databaseUrl: string): Promise<Finding> {
  const file = join(settings.dataDir, 'secrets.key');
  if (settings.secretsKey === undefined && !existsSync(file))
    return { check: 'keys', state: 'fault', found: `${file} is missing`, remedy: 'restore it from a backup' };
  const direct = directDatabase(settings, databaseUrl);
  const lenient = { ...settings, allowsKeyMismatch: true };
  const [found] = await checkStoredSecrets(direct, lenient, secretsKeyOf(settings));
  return found === undefined ? ok('keys', 'open what is stored') : { check: 'keys', state: 'fault', found };
}

async function sentMailFinding(settings: Settings, to: string): Promise<Finding> {
  const { mailFrom: from } = settings;
  const text = 'The account API can send mails: this one comes from its doctor command.';
  const messageId = `<doctor.${Date.now()}@${from.slice(from.lastIndexOf('@') + 1)}>`;
  const message = {
    from,
    to,
    subject: 'Test mail of the account API',
    text: `${text}\n`,
    html: `<p>${text}</p>`,
    messageId,
  };
  try {
    await mailTransport(settings).deliver(message);
    return ok(
      'mail',
      settings.smtpUrl === undefined ? 'wrote a test mail to DATA_DIR/mail' : `sent a test mail to ${to}`,
    );
  } catch (error) {
    const found = `a test mail to ${to} was not sent: ${(error as Error).message}`;
    return { check: 'mail', state: 'fault', found, remedy: 'check SMTP_URL and MAIL_FROM' };
  }
}

/** Asks for a route that needs a credential, as a browser would. */
async function publicFindings({ publicUrl, corsOrigins }: Settings): Promise<Finding[]> {
  const check = 'PUBLIC_URL';
  const remedy = 'start the service, or check PUBLIC_URL and the proxy';
  const [origin] = corsOrigins;
  try {
    const answer = await fetch(`${publicUrl}/v1/whoami`, {
      headers: origin === undefined ? {} : { origin },
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'manual',
    });
    if (answer.status !== 401)
      return [{ check, state: 'warning', found: `${publicUrl} answers ${answer.status}, not 401`, remedy }];
    const allowed = answer.headers.get('access-control-allow-origin');
    return [
      ok(check, `${publicUrl} answers`),
      origin === undefined || allowed === origin
        ? ok(
            'CORS',
            origin === undefined ? 'no browser may call from another origin' : corsOrigins.join(', '),
          )
        : {
            check: 'CORS',
            state: 'warning',
            found: `${publicUrl} does not allow ${origin}`,
            remedy: 'restart the service; let the proxy pass the header Origin and its answer',
          },
    ];
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return [
      { check, state: 'warning', found: `${publicUrl} does not answer (${cause?.code ?? message})`, remedy },
    ];
  }
}

function backupFinding(file: string): Finding {
  const check = 'backup';
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined)
    return { check, state: 'fault', found: `${file} is not there`, remedy: 'make a backup' };
  const hours = Math.floor((Date.now() - stats.mtimeMs) / 3_600_000);
  const found = `${file} is ${hours} h old, ${inMegabytes(stats.size)}`;
  return hours > OLDEST_BACKUP || stats.size === 0
    ? { check, state: 'fault', found, remedy: 'see why the last backup is missing' }
    : ok(check, found);
}

function outcomeOf(findings: readonly Finding[]): Outcome {
  const faults = findings.filter(({ state }) => state === 'fault').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  return {
    exitCode: faults === 0 ? EXIT.ok : EXIT.someRowsRefused,
    report: { isWell: faults === 0, findings },
    lines: [
      ...tableOf([
        ['Check', 'State', 'Found', 'What to do'],
        ...findings.map(({ check, state, found, remedy = '' }) => [check, state, found, remedy]),
      ]),
      `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    ],
  };
}

const HELP = commandHelp(
  `Checks the settings, the database with its role, schema, keys and pooler, jobs, the mail server, PUBLIC_URL, CORS, proxies,
the clock and the disk, and tells what to do. Run it with the settings of the service. It changes nothing.`,
  `Exit code 3: there is a fault. Warnings do not count.

Examples:
  $ npm run cli -- doctor
  $ npm run cli -- doctor --mail you@example.com             # sends a test mail
  $ npm run cli -- doctor --backup /var/backups/account.dump # tells whether it is older than ${OLDEST_BACKUP} hours`,
);

export function declareDoctor(cli: CommandLine): void {
  cli
    .command('doctor', HELP)
    .option('--mail <address>', 'send a test mail there')
    .option('--backup <file>', 'check the age of this file')
    .action(async ({ json = false, ...options }: DoctorOptions) => {
      if (options.mail !== undefined && !isPlainEmailAddress(options.mail))
        throw new WrongUse('--mail must be an e-mail address');
      cli.report(outcomeOf(await examine(cli.terminal, options)), json);
    });
}
