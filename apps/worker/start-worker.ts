import { NestFactory } from '@nestjs/core';
import { directDatabase } from '@app/core/database/direct-database';
import { startEmbeddedPostgres } from '@app/core/database/embedded-postgres';
import { migrate } from '@app/core/jobs/migrate';
import { createLogger, flushLog, nestLogger } from '@app/core/logging/logger';
import type { Settings } from '@app/core/settings/settings';
import { checkSecretsKey, secretsKeyOf } from '@app/core/secrets/secrets-key';
import { AppModule } from '@app/service/app.module';
import { assertTestClockFits } from '@app/test-clock/test-clock.mark';

/** A worker that does jobs. */
export interface RunningWorker {
  /** Takes no new jobs and finishes those in hand. */
  stop(): Promise<void>;
}

/**
 * The same modules as the service, without HTTP: whatever does jobs there does them here, and no second list of
 * handlers can fall behind. Starts in any order with services and other workers.
 */
export async function startWorker(settings: Settings): Promise<RunningWorker> {
  const secretsKey = secretsKeyOf(settings);
  checkSecretsKey(secretsKey);
  const logger = createLogger(settings);
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
        await embedded?.stop();
        await flushLog(logger);
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
