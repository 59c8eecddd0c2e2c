import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { poolOf } from '@app/platform/database/database-pool';
import { createLogger } from '@app/platform/observability/logger';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import { AppModule } from '@app/service/app.module';
import type { CommandRun } from './database';

const MODULE_CONNECTIONS = 5;

/**
 * Runs work with the modules of the service on the database of a command, without HTTP and jobs. For commands
 * that involve every domain; others do not load this file.
 */
export async function withServiceModules<Result>(
  { settings, dataSource }: CommandRun,
  work: (modules: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const { connectionString = '' } = poolOf(dataSource).options;
  // A command sends no traces.
  const own = {
    ...settings,
    worker: false,
    databasePool: MODULE_CONNECTIONS,
    // The database of a command is past the pooler already.
    databaseDirectUrl: undefined,
    tracing: false,
  };
  const modules = await NestFactory.createApplicationContext(
    AppModule.with({
      settings: own,
      databaseUrl: connectionString,
      secretsKey: secretsKeyOf(settings),
      // The log would go to standard output, which belongs to the command.
      logger: createLogger({ ...own, logLevel: 'silent' }),
    }),
    { logger: false, abortOnError: false },
  );
  try {
    return await work(modules);
  } finally {
    await modules.close();
  }
}
