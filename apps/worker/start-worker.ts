import { NestFactory } from '@nestjs/core';
import type { Settings } from '@app/config/settings';
import { startWarnings } from '@app/config/start-warnings';
import { assertTestClockFits } from '@app/edge/test-clock/test-clock.mark';
import { startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { migrate } from '@app/migrations/migrate';
import { assertKnownHistory } from '@app/migrations/recorded-migrations';
import { keepsSessions } from '@app/platform/database/data-source-options';
import { catchPlainText, createLogger, flushLog, nestLogger } from '@app/platform/observability/logger';
import { startTracing } from '@app/platform/observability/tracing';
import { secretsKeyOf, SecretsKeyring } from '@app/security/secrets/encryption';
import { AppModule } from '@app/service/app.module';
import { assertSameAnswers } from '@app/service/deployment/database-settings';
import { warnOfDeployment } from '@app/service/deployment/findings';
import { assertKeepsSessions } from '@app/service/deployment/pooler-mode';
import { checkStoredSecrets } from '@app/service/deployment/stored-secrets';

/** A process that runs jobs. */
export interface RunningWorker {
  /** Takes no new jobs and completes the running ones. */
  stop(signal?: string): Promise<void>;
}

/**
 * Runs the modules of the service without HTTP, so that services and workers have the same job handlers.
 * They may start in any order.
 */
export async function startWorker(settings: Settings, stopWanted?: AbortSignal): Promise<RunningWorker> {
  const secretsKey = secretsKeyOf(settings);
  SecretsKeyring.parse(secretsKey);
  const logger = createLogger(settings);
  catchPlainText(logger);
  const stopTracing = startTracing(settings, logger);
  for (const warning of startWarnings(settings)) logger.warn(warning);
  const say = (line: string): void => logger.info(line);
  await assertKeepsSessions(settings);
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: say })
      : undefined;
  try {
    const databaseUrl = settings.databaseUrl ?? embedded?.url ?? '';
    const direct = settings.databaseDirectUrl ?? databaseUrl;
    for (const warning of await assertKnownHistory(direct)) logger.warn(warning);
    await assertSameAnswers(databaseUrl, keepsSessions(settings));
    await assertTestClockFits(direct, settings.testClock);
    for (const warning of await checkStoredSecrets(direct, settings, secretsKey)) logger.warn(warning);
    await warnOfDeployment({ ...settings, worker: true }, direct, logger);
    await migrate(direct, { say, ...(stopWanted !== undefined && { stopWanted }) });
    const appOptions = { settings: { ...settings, worker: true }, databaseUrl, secretsKey, logger };
    const context = await NestFactory.createApplicationContext(AppModule.with(appOptions), {
      logger: nestLogger(logger),
      abortOnError: false,
    });
    logger.info('worker is ready');
    return {
      stop: async (signal) => {
        logger.info({ signal }, 'stopping: takes no new jobs');
        await context.close();
        await stopTracing();
        await embedded?.stop();
        logger.info('stopped');
        await flushLog(logger);
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
