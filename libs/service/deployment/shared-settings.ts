import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { Logger } from 'pino';
import { Settings } from '@app/config/settings';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { SecretsKeyring } from '@app/security/secrets/encryption';

/**
 * Settings that jobs use, so all processes should agree. Links and pages are left out, because variants may
 * have their own addresses. The lock of a setting depends on its position, so a release only appends.
 */
const SHARED: readonly (readonly [name: string, read: (settings: Settings) => unknown])[] = [
  ['SECRETS_KEY', () => ''],
  ['SMTP_URL', ({ smtpUrl }) => smtpUrl],
  ['MAIL_FROM', ({ mailFrom, mailFromName }) => [mailFrom, mailFromName]],
  ['MAIL_HOURLY_LIMIT', ({ mailHourlyLimit }) => mailHourlyLimit],
  ['WEBHOOK_NETWORKS', ({ webhookNetworks }) => webhookNetworks.toSorted()],
  // The file may have another path on another machine.
  ['GEOIP_DB', ({ geoipDb }) => geoipDb !== undefined],
  ['RETENTION_AUDIT', ({ retention }) => retention.audit],
  ['RETENTION_NOTIFICATIONS', ({ retention }) => retention.notifications],
  ['RETENTION_INVITATIONS', ({ retention }) => retention.invitations],
  ['COMPANY_NAME', ({ companyName }) => companyName],
];

/**
 * The first of the two numbers in the lock of the first setting. No other lock of
 * the service has two numbers.
 */
const LOCK_CLASS = 7_218_460;

const OWN = 'unnest($1::integer[], $2::integer[]) AS own (class, digest)';

const HOLD = `SELECT pg_advisory_lock_shared(own.class, own.digest) FROM ${OWN}`;

const DIFFERENT = `
  SELECT held.pid, array_agg(own.class) AS classes FROM pg_locks held JOIN ${OWN} ON held.classid::bigint = own.class
  WHERE held.locktype = 'advisory' AND held.objsubid = 2 AND held.granted
    AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND held.objid::bigint <> own.digest::bigint & 4294967295
  GROUP BY held.pid`;

/**
 * Compares settings with other processes that run jobs on this database. Each process holds shared advisory
 * locks, named by keyed digests of its values; PostgreSQL releases them when the process ends.
 */
@Injectable()
export class SharedSettings {
  private isCompared = false;

  constructor(
    private readonly settings: Settings,
    private readonly keyring: SecretsKeyring,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {}

  /** Call it on each new session that lives as long as this process runs jobs. Warns once. */
  async announce(client: PoolClient): Promise<void> {
    const own = [
      SHARED.map((_, index) => LOCK_CLASS + index),
      SHARED.map(([name, read]) => this.digestOf(name, read(this.settings))),
    ];
    await client.query(HOLD, own);
    if (this.isCompared) return;
    this.isCompared = true;
    const { rows } = await client.query<{ classes: number[] }>(DIFFERENT, own);
    const names = new Set(rows.flatMap(({ classes }) => namesOf(classes)));
    if (names.size === 0) return;
    const listed = new Intl.ListFormat('en-GB').format(names);
    this.logger.warn(
      `another process that does jobs on this database has other values: ${listed}. Any of them may do a job: give all the same`,
    );
  }

  private digestOf(name: string, value: unknown): number {
    return this.keyring.hmac('settings', `${name} ${JSON.stringify(value) ?? ''}`).readInt32BE();
  }
}

/** With another key all digests differ, so they say nothing about the settings. */
const namesOf = (classes: readonly number[]): string[] =>
  classes.includes(LOCK_CLASS)
    ? ['SECRETS_KEY']
    : classes.toSorted((one, two) => one - two).map((lockClass) => SHARED[lockClass - LOCK_CLASS]?.[0] ?? '');
