import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { directDatabase } from '@app/core/database/direct-database';
import { startEmbeddedPostgres } from '@app/core/database/embedded-postgres';
import type { HttpAdapter } from '@app/core/http/http-adapter';
import { JobRunner } from '@app/core/jobs/job-runner';
import { migrate } from '@app/core/jobs/migrate';
import { AddressCountries } from '@app/core/geography/address-countries';
import { Readiness } from '@app/core/health/health.module';
import { createLogger, flushLog } from '@app/core/logging/logger';
import { checkSecretsKey, secretsKeyOf } from '@app/core/secrets/secrets-key';
import { SettingError } from '@app/core/settings/setting-error';
import type { Settings } from '@app/core/settings/settings';
import { assertTestClockFits } from '@app/test-clock/test-clock.mark';
import { startWarnings } from '../../config/env';
import { ensureFirstAdmin } from './bootstrap-database';
import { createApp } from './create-app';
import { welcome } from './welcome';

/** Milliseconds that requests in flight get to finish when the service stops. */
const GRACE = 10_000;

/** A service that answers requests. */
export interface RunningService {
  readonly port: number;
  /** Lets balancers turn away, finishes the requests in flight, stops what was started with it. */
  stop(): Promise<void>;
}

/** Database, schema, first admin, HTTP: everything between the settings and the first request. */
export async function startService(settings: Settings): Promise<RunningService> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const secretsKey = secretsKeyOf(settings);
  checkSecretsKey(secretsKey);
  // Read again where it is used: here only so that a wrong file stops the start before anything else is started.
  await AddressCountries.open(settings.geoipDb);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: say })
      : undefined;
  try {
    const databaseUrl = settings.databaseUrl ?? embedded?.url ?? '';
    const direct = directDatabase(settings, databaseUrl);
    await assertTestClockFits(direct, settings.testClock);
    const migrations = await migrate(direct.url, direct.pooler);
    if (migrations.length > 0) say(`Migrated the database: ${migrations.join(', ')}`);
    const wanted = {
      username: settings.adminUsername,
      password: settings.adminPassword,
      bcryptCost: settings.bcryptCost,
      testClock: settings.testClock,
    };
    const admin = await ensureFirstAdmin(direct.url, wanted, direct.pooler);
    // Again: another process may have made the database meanwhile.
    await assertTestClockFits(direct, settings.testClock);
    const logger = createLogger(settings);
    for (const warning of startWarnings(settings)) logger.warn(warning);
    const app = await createApp({ settings, databaseUrl, secretsKey, logger });
    await listen(() => app.listen(settings.port, settings.host), settings);
    const { port } = app.getHttpServer().address() as AddressInfo;
    say(
      welcome({
        port,
        variant: settings.variant,
        testClock: settings.testClock,
        admin,
        embedded: embedded !== undefined,
      }),
    );
    return {
      port,
      stop: async () => {
        await stopServing(app, settings);
        await app.close();
        await embedded?.stop();
        await flushLog(logger);
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/**
 * Goes on serving until balancers have asked for readiness and turned away: a listener that closes at once resets the
 * connections that the system has taken for it. Jobs end meanwhile, so that they keep nobody waiting afterwards.
 */
async function stopServing(app: NestExpressApplication, { drainDelay }: Settings): Promise<void> {
  app.get(Readiness).stop();
  const server = app.getHttpAdapter() as unknown as HttpAdapter;
  server.drain();
  const jobsEnded = app.get(JobRunner).stop();
  await pause(drainDelay * 1000);
  await server.closeWithin(GRACE);
  await jobsEnded;
}

async function listen(start: () => Promise<unknown>, settings: Settings): Promise<void> {
  try {
    await start();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new SettingError(
        'PORT',
        `${settings.port} is already in use: choose another or stop what listens there`,
      );
    }
    throw error;
  }
}
