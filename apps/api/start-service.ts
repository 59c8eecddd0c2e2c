import type { Settings, VariantName } from '@app/platform/process/settings';
import { prepareDatabase, type PreparedDatabase } from './prepare-database';
import { createLogger } from '@app/platform/observability/logger';
import { startWarnings } from '../../config/env';
import { serve, type ServingProcess } from './serve';

interface Started {
  readonly port: number;
  readonly variant: VariantName;
  /** Whether admins can move the clock. */
  readonly testClock: boolean;
  /** Number of serving processes. */
  readonly processes: number;
  readonly database: PreparedDatabase;
}

const TEST_CLOCK_LINES = [
  '  TEST CLOCK     ON: admins can move the clock of this service (POST /v1/testClock).',
  '                 For tests only: this database must never hold customers.',
];

/** The start-up message: the URL, the admin and how to log in. */
export function welcome({ port, variant, testClock, processes, database }: Started): string {
  const { admin, embedded } = database;
  const address = `http://localhost:${port}`;
  const password = admin.madeUpPassword ?? '<password>';
  const body = JSON.stringify({ username: admin.username, password });
  return [
    '',
    `Account API, Variant ${variant}, is ready at ${address}/v1`,
    `  Documentation  ${address}/docs`,
    `  Database       ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
    ...(processes === 1 ? [] : [`  Processes      ${processes}`]),
    `  Admin          ${admin.username}`,
    ...(admin.madeUpPassword === undefined
      ? []
      : [`  Password       ${admin.madeUpPassword}   (shown this once; change it after the first login)`]),
    ...(testClock ? TEST_CLOCK_LINES : []),
    '  Log in with',
    `    curl -s ${address}/v1/login -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ].join('\n');
}

/** Starts everything in this process: database, schema, first admin, HTTP. */
export async function startService(settings: Settings): Promise<ServingProcess> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const database = await prepareDatabase(settings, say);
  try {
    const logger = createLogger(settings);
    for (const warning of startWarnings(settings)) logger.warn(warning);
    const { port, stop } = await serve(settings, database.url, logger);
    say(welcome({ ...settings, port, database }));
    return {
      port,
      stop: async () => {
        await stop();
        await database.embedded?.stop();
      },
    };
  } catch (error) {
    await database.embedded?.stop();
    throw error;
  }
}
