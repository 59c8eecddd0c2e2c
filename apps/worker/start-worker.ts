import { NestFactory } from '@nestjs/core';
import { directDatabase } from '@app/platform/database/data-source-options';
import { startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { migrate } from '@app/platform/jobs/migrate';
import { createLogger, flushLog, nestLogger } from '@app/platform/observability/logger';
import { startTracing } from '@app/platform/observability/tracing';
import type { Settings } from '@app/platform/process/settings';
import { checkSecretsKey, secretsKeyOf } from '@app/security/secrets/encryption';
import { AppModule } from '@app/service/app.module';
import { assertTestClockFits } from '@app/test-clock/test-clock.mark';
import { startWarnings } from '../../config/env';

/** A process that runs jobs. */
export interface RunningWorker {
  /** Takes no new jobs and finishes the running ones. */
  stop(): Promise<void>;
}

/**
 * Runs the modules of the service without HTTP, so that both have the same job handlers. Services and workers may start in
 * any order.
 */
export async function startWorker(settings: Settings): Promise<RunningWorker> {
  const secretsKey = secretsKeyOf(settings);
  checkSecretsKey(secretsKey);
  const logger = createLogger(settings);
  const stopTracing = startTracing(settings, logger);
  for (const warning of startWarnings(settings)) logger.warn(warning);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: (line) => logger.info(line) })
      : undefined;
  try {
    const databaseUrl = settings.databaseUrl ?? embedded?.url ?? '';
    const direct = directDatabase(settings, databaseUrl);
    await assertTestClockFits(direct, settings.testClock);
    await migrate(direct.url, direct.pooler);
    const appOptions = { settings: { ...settings, worker: true }, databaseUrl, secretsKey, logger };
    const context = await NestFactory.createApplicationContext(AppModule.with(appOptions), {
      logger: nestLogger(logger),
      abortOnError: false,
    });
    logger.info('worker is ready');
    return {
      stop: async () => {
        await context.close();
        await stopTracing();
        await embedded?.stop();
        await flushLog(logger);
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
