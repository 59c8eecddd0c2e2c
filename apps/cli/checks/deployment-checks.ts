import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';
import { assertTestClockFits } from '@app/edge/test-clock/test-clock.mark';
import { SEND_MAIL } from '@app/mail/mail-jobs';
import { mailTransport } from '@app/mail/smtp-transport';
import { type MigrationState, newerSchema } from '@app/migrations/recorded-migrations';
import { keepsSessions } from '@app/platform/database/data-source-options';
import { countJobs, FAILED_AT, JOBS } from '@app/platform/jobs/job-tables';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import { oddSetting } from '@app/service/deployment/database-settings';
import {
  clockFinding,
  collationFinding,
  fault,
  type Finding,
  folderFinding,
  inMegabytes,
  mailFinding,
  ok,
  proxyFinding,
  usedIdsFinding,
  warning,
} from '@app/service/deployment/findings';
import { adviceOnMail } from '@app/service/deployment/mail-advice';
import { checkStoredSecrets } from '@app/service/deployment/stored-secrets';
import { printable } from '../terminal';

/** Checks by name, in their order. A check that does not apply has no finding. */
export type Checks<Subject> = Readonly<
  Record<string, (subject: Subject) => Finding | undefined | Promise<Finding | undefined>>
>;

const OLDEST_POSTGRESQL = 150_000;
/** Maximum age in hours: a daily backup, with some time to run. */
export const OLDEST_BACKUP = 26;
/** Maximum seconds that a due job waits while a worker runs. */
const LONGEST_WAIT = 300;
/** Milliseconds for an answer at PUBLIC_URL. */
const PATIENCE = 5000;

/** Mails that wait for their first or next try, and why the one waits that failed last. */
const WAITING_MAILS = `
  SELECT count(*)::integer AS count, extract(epoch FROM now() - min(job.created_at))::float8 AS waited,
    (array_agg(left(job.last_error, 255) ORDER BY ${FAILED_AT} DESC) FILTER (WHERE job.last_error IS NOT NULL))[1] AS refused
  FROM ${JOBS} job WHERE job.task = $1 AND job.attempts < job.max_attempts`;

/** With more organisations a customer is probably a reseller of whom the operator has not said so. */
const MOST_OF_PLAIN_CUSTOMER = 50;

/** Names in one finding. */
const MOST_NAMED = 5;

/**
 * The customers with most organisations, and how many have more than $1. Each beneath a reseller is one
 * itself.
 */
const LARGE_CUSTOMERS = `
  SELECT o.id, o.name, with_own.count - 1 AS beneath, count(*) OVER ()::integer AS found
  FROM (SELECT customer_id, count(*)::integer AS count FROM organisations
    WHERE deleted_at IS NULL GROUP BY customer_id HAVING count(*) > $1::integer + 1) with_own
  JOIN organisations o ON o.id = with_own.customer_id
  ORDER BY with_own.count DESC, o.id LIMIT ${MOST_NAMED}`;

/** The database of a deployment, with a connection to it. */
interface ExaminedDatabase {
  readonly settings: Settings;
  readonly databaseUrl: string;
  readonly dataSource: DataSource;
  readonly schema: MigrationState;
  /** Migrations that have not run. Checks of tables need all of them. */
  readonly pending: number;
}

export const DATABASE_CHECKS: Checks<ExaminedDatabase> = {
  async database({ dataSource, settings, databaseUrl }) {
    const [{ version, name, size }] = await dataSource.query<
      [{ version: number; name: string; size: string }]
    >(
      `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_version') AS name,
           pg_database_size(current_database())::text AS size`,
    );
    if (version < OLDEST_POSTGRESQL) return fault(`PostgreSQL ${name}`, 'use PostgreSQL 15 or newer');
    // With the connections that requests have.
    const odd = await oddSetting(settings.databaseUrl ?? databaseUrl, keepsSessions(settings));
    if (odd !== undefined) return fault(odd);
    return ok(`PostgreSQL ${name}, ${inMegabytes(Number(size))}`);
  },
  collation: ({ databaseUrl }) => collationFinding(databaseUrl),
  ids: ({ databaseUrl }) => usedIdsFinding(databaseUrl),
  pooler: ({ settings }) =>
    keepsSessions(settings) ? undefined : ok('in transaction mode; DATABASE_DIRECT_URL leads past it'),
  async role({ dataSource, settings: { databaseUrl } }) {
    const [{ role, isSuper, mayCreate }] = await dataSource.query<
      [{ role: string; isSuper: boolean; mayCreate: boolean }]
    >(
      `SELECT current_user AS role, rolsuper AS "isSuper",
           has_schema_privilege('public', 'CREATE') AND has_database_privilege(current_database(), 'CREATE') AS "mayCreate"
         FROM pg_roles WHERE rolname = current_user`,
    );
    if (!mayCreate) {
      return fault(
        `${role} may not create what migrations need`,
        'run `migrate` as the owner first, or use a role that may: deploy/postgres-role.sh makes one',
      );
    }
    if (!isSuper || databaseUrl === undefined) return ok(role);
    const remedy = 'use a role that owns its database and nothing else: deploy/postgres-role.sh';
    return warning(`${role} is a superuser`, remedy);
  },
  schema({ schema, pending }) {
    if (pending > 0)
      return warning(`${pending} migrations are missing`, 'run `migrate`, or start the service');
    const newer = newerSchema(schema);
    if (newer === undefined) return ok('up to date');
    return warning(
      newer,
      'this build works on it, on the way back to an older one too; else run the newer one',
    );
  },
  async jobs({ dataSource, pending }) {
    if (pending > 0) return undefined;
    const jobs = await dataSource.query<{ failed: number; oldestDue: number | null }[]>(countJobs(100_000));
    const waited = Math.round(Math.max(0, ...jobs.map(({ oldestDue }) => oldestDue ?? 0)));
    const failed = jobs.reduce((sum, job) => sum + job.failed, 0);
    if (waited > LONGEST_WAIT) {
      return fault(`the oldest job is ${waited} s late`, 'start a process with WORKER=on, or apps/worker');
    }
    if (failed === 0) return ok('none is late, none was given up');
    const remedy =
      '`mail show` names mails and their errors; of others, as those of notifications, `last_error` in graphile_worker.jobs';
    return warning(`${failed} jobs were given up after their last try`, remedy);
  },
  async mails({ dataSource, pending }) {
    if (pending > 0) return undefined;
    const [{ count, waited, refused }] = await dataSource.query<
      [{ count: number; waited: number | null; refused: string | null }]
    >(WAITING_MAILS, [SEND_MAIL]);
    if (waited === null) return undefined;
    const found = `${count} on their way, the oldest for ${Math.round(waited)} s`;
    if (refused === null) return ok(found);
    const advice = adviceOnMail(refused);
    return warning(
      found,
      `the last failed try says why: ${refused}${advice === undefined ? '' : `; ${advice}`}`,
    );
  },
  async admins({ dataSource, pending }) {
    if (pending > 0) return undefined;
    const [{ count }] = await dataSource.query<[{ count: number }]>(
      `SELECT count(*) FROM users WHERE deleted_at IS NULL AND enabled AND roles @> ARRAY['ROLE_ADMIN']`,
    );
    if (count > 0) return ok(`${count} enabled`);
    return warning('nobody may do everything', '`create-admin`, or start the service');
  },
  async customers({ dataSource, pending }) {
    if (pending > 0) return undefined;
    const large = await dataSource.query<{ id: number; name: string; beneath: number; found: number }[]>(
      LARGE_CUSTOMERS,
      [MOST_OF_PLAIN_CUSTOMER],
    );
    const [{ found } = { found: 0 }] = large;
    if (found === 0) return undefined;
    const names = large.map(({ id, name, beneath }) => `${printable(name)} (${id}) ${beneath}`).join(', ');
    return warning(
      `${found} with more than ${MOST_OF_PLAIN_CUSTOMER} organisations beneath: ${names}${found > large.length ? ', …' : ''}`,
      'they share the limits of one customer: an admin gives a reseller the type Reseller, or `limits ID --times N`',
    );
  },
  async keys({ settings, databaseUrl }) {
    const file = join(settings.dataDir, 'secrets.key');
    if (settings.secretsKey === undefined && !existsSync(file))
      return fault(`${file} is missing`, 'restore it from a backup');
    const lenient = { ...settings, allowsKeyMismatch: true };
    const [found] = await checkStoredSecrets(databaseUrl, lenient, secretsKeyOf(settings));
    return found === undefined ? ok('open what is stored') : fault(found);
  },
  clock: ({ databaseUrl }) => clockFinding(databaseUrl),
  async TEST_CLOCK({ settings, databaseUrl }) {
    try {
      await assertTestClockFits(databaseUrl, settings.testClock);
      return settings.testClock ? ok('on, on a database of tests') : undefined;
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      return fault(error.faults.join('; '), 'the service does not start so');
    }
  },
};

/** Everything except the database, with the options of `doctor`. */
interface Surroundings {
  readonly settings: Settings;
  /** The address for a test mail. Undefined: none is sent. */
  readonly mail?: string | undefined;
  /** A backup file whose age is checked. */
  readonly backup?: string | undefined;
  /** The answer at PUBLIC_URL, or the reason why there is none. */
  readonly answer: Response | string;
}

/** Requests a route that needs a credential, in the same way as a browser. */
export async function publicAnswer({
  publicUrl,
  corsOrigins: [origin],
}: Settings): Promise<Response | string> {
  try {
    return await fetch(`${publicUrl}/v1/whoami`, {
      headers: origin === undefined ? {} : { origin },
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'manual',
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}

export const SURROUNDING_CHECKS: Checks<Surroundings> = {
  mail: ({ settings, mail }) => (mail === undefined ? mailFinding(settings) : sendTestMail(settings, mail)),
  PUBLIC_URL: ({ settings: { publicUrl }, answer }) => {
    const remedy = 'start the service, or check PUBLIC_URL and the proxy';
    if (typeof answer === 'string') return warning(`${publicUrl} does not answer (${answer})`, remedy);
    if (answer.status === 401) return ok(`${publicUrl} answers`);
    return warning(`${publicUrl} answers ${answer.status}, not 401`, remedy);
  },
  CORS: ({ settings: { publicUrl, corsOrigins }, answer }) => {
    const [origin] = corsOrigins;
    if (typeof answer === 'string' || answer.status !== 401) return undefined;
    if (origin === undefined) return ok('no browser may call from another origin');
    if (answer.headers.get('access-control-allow-origin') === origin) return ok(corsOrigins.join(', '));
    const remedy = 'restart the service; let the proxy pass the header Origin and its answer';
    return warning(`${publicUrl} does not allow ${origin}`, remedy);
  },
  proxies: ({ settings }) => proxyFinding(settings),
  disk: ({ settings }) => folderFinding(settings),
  backup: ({ backup }) => (backup === undefined ? undefined : ageOf(backup)),
};

async function sendTestMail(settings: Settings, to: string): Promise<Finding> {
  const { mailFrom: from } = settings;
  const text = 'The account API can send mails: this one comes from its doctor command.';
  const messageId = `<doctor.${Date.now()}@${from.slice(from.lastIndexOf('@') + 1)}>`;
  const subject = 'Test mail of the account API';
  const message = { from, to, subject, text: `${text}\n`, html: `<p>${text}</p>`, messageId };
  const transport = mailTransport(settings);
  try {
    await transport.deliver(message);
    return ok(
      settings.smtpUrl === undefined ? 'wrote a test mail to DATA_DIR/mail' : `sent a test mail to ${to}`,
    );
  } catch (error) {
    const found = `a test mail to ${to} was not sent: ${(error as Error).message}`;
    return fault(found, 'check SMTP_URL and MAIL_FROM');
  } finally {
    transport.close?.();
  }
}

function ageOf(file: string): Finding {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return fault(`${file} is not there`, 'make a backup');
  const hours = Math.floor((Date.now() - stats.mtimeMs) / 3_600_000);
  const found = `${file} is ${hours} h old, ${inMegabytes(stats.size)}`;
  if (hours > OLDEST_BACKUP || stats.size === 0) return fault(found, 'see why the last backup is missing');
  return ok(found);
}
