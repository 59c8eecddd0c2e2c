import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { createLogger } from '@app/core/logging/logger';
import type { Settings, VariantName } from '@app/core/settings/settings';
import { createApp } from '../../apps/api/create-app';
import { ensureFirstAdmin } from '../../apps/api/bootstrap-database';
import { readSettings } from '../../config/env';
import { createTestDatabase, type TestDatabase } from './databases';
import { serialSql } from './serial-sql';

/** The first admin of every test service. */
export const ADMIN = { username: 'admin@operator.example', password: 'Operator-1' } as const;

/** 32 bytes of nothing: tests need a key, not a secret. */
export const TEST_SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** What factories need of a service, wherever it runs. */
export interface ReachableService {
  readonly url: string;
  /** SQL on the service's database: to arrange what no request can, and to look at what is stored. */
  readonly sql: <Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
}

/** The real service on a database of its own, listening on a free port. */
export interface TestService extends ReachableService {
  readonly app: NestExpressApplication;
  readonly variant: VariantName;
  /** Every line that the service logged. */
  readonly logLines: string[];
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Partial<Settings>;
  /** The database of another service: both variants may run at once on one. */
  readonly database?: TestDatabase;
}

/** Settings as an operator would leave them, but for cheap password hashes and no limit on public calls. */
export function testSettings(variant: VariantName, overrides: Partial<Settings> = {}): Settings {
  return {
    ...readSettings({
      API_VARIANT: variant,
      BCRYPT_COST: '4',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'info',
      PORT: '0',
      WORKER: 'off',
    }),
    databasePool: 10,
    ...overrides,
  };
}

/** Starts the service in this process, with the first admin in its database. Stop it in `afterAll`. */
export async function startTestService(
  variant: VariantName,
  options: ServiceOptions = {},
): Promise<TestService> {
  const settings = testSettings(variant, options.settings);
  const database = options.database ?? (await createTestDatabase());
  await ensureFirstAdmin(database.url, {
    ...ADMIN,
    bcryptCost: settings.bcryptCost,
    testClock: settings.testClock,
  });
  const logLines: string[] = [];
  const logger = createLogger(settings, { write: (line: string) => void logLines.push(line) });
  const app = await createApp({ settings, databaseUrl: database.url, secretsKey: TEST_SECRETS_KEY, logger });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const client = new Client({ connectionString: database.url });
  // Tests that cut the service's connections may cut this one: what it was asked then fails by itself.
  client.on('error', () => undefined);
  await client.connect();
  return {
    app,
    variant,
    url: `http://127.0.0.1:${port}`,
    sql: serialSql(client),
    logLines,
    database,
    stop: async () => {
      await client.end();
      await app.close();
      if (options.database === undefined) await database.drop();
    },
  };
}
