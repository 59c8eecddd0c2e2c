import { COMMAND_LINE } from '@app/config/env';
import { OperatorError } from '@app/config/operator-errors';
import type { Settings, VariantName } from '@app/config/settings';
import { startWarnings } from '@app/config/start-warnings';
import { createLogger } from '@app/platform/observability/logger';
import { lazily } from '@app/platform/process/lazily';
import { warnOfDeployment } from '@app/service/deployment/findings';
import { assertCanListen } from './listen';
import {
  type FirstAdmin,
  makeFirstAdmin,
  prepareDatabase,
  type PreparedDatabase,
  type StartWatch,
} from './prepare-database';
import type { ServingProcess } from './serve';

class UnloadableService extends OperatorError {}

/** Most of the code of the service, which takes long to load. */
const loadServe = lazily(async () => {
  try {
    return (await import('./serve.js')).serve;
  } catch (error) {
    const [line = ''] = String(error).split('\n', 1);
    throw new UnloadableService(`the service cannot be loaded (${line}): install and build it again`);
  }
});

interface Started {
  readonly host: string;
  readonly port: number;
  readonly variant: VariantName;
  /** Whether admins can move the clock. */
  readonly testClock: boolean;
  readonly database: PreparedDatabase;
  readonly admin: FirstAdmin;
}

const TEST_CLOCK_LINES = [
  '  TEST CLOCK     ON: admins can move the clock of this service (POST /v1/testClock).',
  '                 For tests only: this database must never hold customers.',
];

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The start-up message: the URL, the admin and how to log in. */
function welcome({ host, port, variant, testClock, database, admin }: Started): string {
  const { embedded } = database;
  const address = `http://${isEveryAddress(host) ? 'localhost' : inUrl(host)}:${port}`;
  const password = admin.madeUpPassword ?? '<password>';
  const body = JSON.stringify({ username: admin.username, password });
  return [
    '',
    `Account API, Variant ${variant}, is ready at ${address}/v1`,
    `  Documentation  ${address}/docs`,
    `  Database       ${embedded ? 'embedded PostgreSQL' : 'DATABASE_URL'}`,
    `  Admin          ${admin.username}`,
    admin.madeUpPassword === undefined
      ? `  Password       not shown again; to set a new one: ${COMMAND_LINE} user set-password ${admin.username}`
      : `  Password       ${admin.madeUpPassword}   (shown this once; change it after the first login)`,
    ...(testClock ? TEST_CLOCK_LINES : []),
    '  Log in with',
    `    curl -s ${address}/v1/login -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ].join('\n');
}

/** Starts everything in this process: database, schema, HTTP, first admin. */
export async function startService(settings: Settings, stopWanted: AbortSignal): Promise<ServingProcess> {
  await assertCanListen(settings);
  const watch: StartWatch = {
    say: (line) => void process.stdout.write(`${line}\n`),
    stopWanted,
    // The start asks for it once more, and then tells why it cannot be loaded.
    whileStarting: () => void loadServe().catch(() => undefined),
  };
  const database = await prepareDatabase(settings, watch);
  const stops: ServingProcess['stop'][] = [async () => database.embedded?.stop()];
  const stop = async (signal?: string): Promise<void> => {
    for (const end of stops) await end(signal);
  };
  try {
    const logger = createLogger(settings);
    for (const warning of [...startWarnings(settings), ...database.warnings]) logger.warn(warning);
    await warnOfDeployment(settings, settings.databaseDirectUrl ?? database.url, logger);
    const serve = await loadServe();
    const { port, stop: stopServing } = await serve(settings, database.url, logger);
    stops.unshift(stopServing);
    const admin = await makeFirstAdmin(settings, database);
    watch.say(welcome({ ...settings, port, database, admin }));
    return { port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
