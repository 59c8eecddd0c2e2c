import type { Settings } from '@app/config/settings';
import { VARIANTS } from '../../qa/variants';
import { startTestService, type TestService, useServicePerTest } from '../support/service/service';
import { until } from '../support/service/until';

/** Processes of both variants share a database; without Variant B those of A do. */
const OTHER = VARIANTS.at(-1) ?? 'A';

const DAYS_30 = 30 * 86_400;
const FOR_EVER = { audit: undefined, notifications: undefined, invitations: undefined };

describe('settings that jobs use', () => {
  const database = useServicePerTest('A');
  const started: TestService[] = [];
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop();
  });

  const start = async (
    variant: 'A' | typeof OTHER,
    settings: Partial<Settings> = {},
  ): Promise<TestService> => {
    const service = await startTestService(variant, {
      settings: { worker: true, logLevel: 'info', ...settings },
      database: database.database,
    });
    started.push(service);
    return service;
  };
  const warningsOf = ({ logLines }: TestService): string[] =>
    logLines
      .filter((line) => line.includes('has other values'))
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  /** Its jobs run: whatever it compares at start is compared. */
  const running = async (): Promise<void> => {
    await until(async () => {
      const [row] = await database.sql<{ holders: number }>`
        SELECT count(DISTINCT pid)::integer AS holders FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      return row?.holders === started.length;
    });
  };

  it('are named at the start of the process that has others than one which lives, without their values', async () => {
    const first = await start('A');
    await running();
    const other = await start(OTHER, {
      mailFromName: 'Another',
      smtpUrl: 'smtp://user:secret@127.0.0.1:1',
      webhookNetworks: ['127.0.0.1'],
      retention: { ...FOR_EVER, audit: DAYS_30 },
      publicUrl: 'https://b.example',
    });
    await until(() => warningsOf(other).length > 0);
    const [warning = ''] = warningsOf(other);
    expect(warning).toContain('SMTP_URL, MAIL_FROM, WEBHOOK_NETWORKS');
    expect(warning).toContain('RETENTION_AUDIT');
    expect(warning).not.toContain('RETENTION_NOTIFICATIONS');
    expect(warning).not.toMatch(/MAIL_HOURLY_LIMIT|PUBLIC_URL|secret|127\.0\.0\.1|Another/);
    expect(warningsOf(first)).toEqual([]);
  });

  it('are not named where they are the same, or where the other process has ended', async () => {
    const first = await start('A', {
      webhookNetworks: ['127.0.0.1', '::1'],
      retention: { ...FOR_EVER, audit: DAYS_30, invitations: DAYS_30 },
    });
    await running();
    const same = await start(OTHER, {
      webhookNetworks: ['::1', '127.0.0.1'],
      retention: { ...FOR_EVER, invitations: DAYS_30, audit: DAYS_30 },
    });
    await running();
    await first.stop();
    await same.stop();
    started.length = 0;
    const later = await start(OTHER, { webhookNetworks: [] });
    await running();
    expect([warningsOf(same), warningsOf(later)]).toEqual([[], []]);
  });
});
