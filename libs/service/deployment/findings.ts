import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from '@app/config/settings';
import { checkMailServer } from '@app/mail/smtp-transport';
import { DatabasePool } from '@app/platform/database/database-pool';
import { CHANGED_COLLATIONS, SORT_ANEW, SORTED_OTHERWISE } from './collation';
import { adviceOnMail } from './mail-advice';
import { FEW_IDS_LEFT, NEARLY_USED_UP, WIDEN_IDS } from './used-ids';

/** Result of a check of a deployment. */
export interface Finding {
  /**
   * `warning`: the service works, but not as intended. `fault`: it does not start,
   * or something does not work.
   */
  readonly state: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** The next step for the operator, if any. */
  readonly remedy?: string;
}

export const ok = (found: string): Finding => ({ state: 'ok', found });
export const warning = (found: string, remedy: string): Finding => ({ state: 'warning', found, remedy });
export const fault = (found: string, remedy?: string): Finding => ({
  state: 'fault',
  found,
  ...(remedy !== undefined && { remedy }),
});

/**
 * Seconds between the clocks of this machine and of the database. Codes of authenticators are valid for 30.
 */
const GREATEST_SKEW = 5;
const HARMFUL_SKEW = 30;

/** Bytes that should remain free for database, mails and logs. */
const LEAST_SPACE = 1_000_000_000;

/** Reads the clock of the database between two readings of this machine's clock. */
export async function clockFinding(databaseUrl: string): Promise<Finding> {
  const pool = new DatabasePool({ connectionString: databaseUrl });
  try {
    const client = await pool.connect();
    const before = Date.now();
    const { rows } = await client.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    );
    const middle = (before + Date.now()) / 2;
    client.release();
    return ofSkew(Math.abs((rows[0]?.now ?? middle) - middle) / 1000);
  } finally {
    await pool.end();
  }
}

function ofSkew(seconds: number): Finding {
  const found = `the clocks of this machine and of the database differ by ${seconds.toFixed(1)} s`;
  if (seconds < GREATEST_SKEW) return ok(found);
  return (seconds < HARMFUL_SKEW ? warning : fault)(
    found,
    'let NTP set both; codes of authenticators are good for 30 s',
  );
}

/** After an upgrade of the system, indexes of text may find too little. Undefined if nothing has changed. */
export const collationFinding = (databaseUrl: string): Promise<Finding | undefined> =>
  findingOf(databaseUrl, CHANGED_COLLATIONS, SORTED_OTHERWISE, SORT_ANEW);

/** Undefined if every table has enough ids left. */
export const usedIdsFinding = (databaseUrl: string): Promise<Finding | undefined> =>
  findingOf(databaseUrl, NEARLY_USED_UP, FEW_IDS_LEFT, WIDEN_IDS);

/** A warning with the examples that a statement finds. */
async function findingOf(
  databaseUrl: string,
  statement: string,
  found: string,
  remedy: string,
): Promise<Finding | undefined> {
  const pool = new DatabasePool({ connectionString: databaseUrl });
  try {
    const { rows } = await pool.query<{ example: string }>(statement);
    const examples = rows.map(({ example }) => example).join('; ');
    return rows.length === 0 ? undefined : warning(`${found} (${examples})`, remedy);
  } finally {
    await pool.end();
  }
}

/** The service itself only speaks HTTP. */
export function proxyFinding({ publicUrl, trustedProxies }: Settings): Finding {
  if (trustedProxies.length > 0) return ok(`TRUSTED_PROXIES ${trustedProxies.join(', ')}`);
  if (!publicUrl.startsWith('https:')) return ok('none');
  return warning(
    'PUBLIC_URL is https, so a proxy stands in front, but TRUSTED_PROXIES is not set',
    'set TRUSTED_PROXIES to its address: until then all clients share the limits of one address',
  );
}

/** The folder for mails if there is no mail server, and for the embedded database. */
export async function folderFinding({ dataDir, databaseUrl, smtpUrl }: Settings): Promise<Finding> {
  if (databaseUrl !== undefined && smtpUrl !== undefined) return ok('this process keeps no files');
  const folder = nearest(dataDir);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    const remedy = 'let the user of the service write there, or set DATA_DIR';
    return fault(`DATA_DIR ${dataDir} is not writable`, remedy);
  }
  const { bavail, bsize } = await statfs(folder);
  const found = `${inMegabytes(bavail * bsize)} free in DATA_DIR ${dataDir}`;
  return bavail * bsize < LEAST_SPACE
    ? warning(found, 'make room: PostgreSQL stops when the disk is full')
    : ok(found);
}

/** The folder itself, or its nearest existing parent. */
const nearest = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));

export const inMegabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

/** Connects to the mail server and logs in, but sends nothing. */
export async function mailFinding(settings: Settings): Promise<Finding> {
  const { smtpUrl, dataDir } = settings;
  if (smtpUrl === undefined)
    return warning(`mails become files in ${join(dataDir, 'mail')}`, 'set SMTP_URL for real users');
  const { host } = new URL(smtpUrl);
  try {
    await checkMailServer({ ...settings, smtpUrl });
    return ok(`the mail server ${host} answers`);
  } catch (error) {
    const { message } = error as Error;
    return fault(
      `the mail server ${host} cannot be used: ${message}`,
      `${adviceOnMail(message) ?? 'check SMTP_URL'}; mails wait for two and a half days, those of notifications for most of a day`,
    );
  }
}

/** Logs problems at the start of a process. Does not wait for the mail server. */
export async function warnOfDeployment(
  settings: Settings,
  databaseUrl: string,
  logger: Logger,
): Promise<void> {
  const warn = ({ state, found, remedy = '' }: Finding): void => {
    if (state !== 'ok') logger.warn(`${found}: ${remedy}`);
  };
  warn(proxyFinding(settings));
  warn(await folderFinding(settings));
  warn(await clockFinding(databaseUrl));
  for (const finding of [await collationFinding(databaseUrl), await usedIdsFinding(databaseUrl)])
    if (finding !== undefined) warn(finding);
  if (settings.worker && settings.smtpUrl !== undefined) void mailFinding(settings).then(warn);
}
