import { createRequire } from 'node:module';
import type { INestApplicationContext } from '@nestjs/common';
import type * as Nest from '@nestjs/core';
import { poolOf } from '@app/core/database/pool';
import { createLogger } from '@app/core/logging/logger';
import { secretsKeyOf } from '@app/core/secrets/secrets-key';
import type { Settings } from '@app/core/settings/settings';
import type * as Service from '@app/service/app.module';
import type { Database } from './database';

const load = createRequire(__filename);

/** A command does one thing after the other. */
const CONNECTIONS = 5;

/**
 * Gives work the modules of the service on the database of a command, without HTTP and jobs: for what every domain has
 * a part in. They are loaded here, so that other commands do not wait for them.
 */
export async function withServiceModules<Result>(
  settings: Settings,
  { dataSource }: Database,
  work: (modules: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const { NestFactory } = load('@nestjs/core') as typeof Nest;
  const { AppModule } = load('../../libs/service/app.module') as typeof Service;
  const { connectionString = '' } = poolOf(dataSource).options;
  const databasePooler = settings.databasePooler === undefined ? undefined : 'session';
  // What a command does is no request: it sends no traces, and its end waits for nobody who takes them.
  const own = {
    ...settings,
    worker: false,
    databasePool: CONNECTIONS,
    databasePooler,
    otlpEndpoint: undefined,
  } as const;
  const modules = await NestFactory.createApplicationContext(
    AppModule.with({
      settings: own,
      databaseUrl: connectionString,
      secretsKey: secretsKeyOf(settings),
      // The log goes to standard output, which is the command's.
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
