import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Client } from 'pg';
import { readSettings } from '@app/config/env';
import type { Settings, VariantName } from '@app/config/settings';
import { createLogger } from '@app/platform/observability/logger';
import { createApp } from '../../../apps/api/configure-app';
import { ensureFirstAdmin } from '../../../apps/api/prepare-database';
import { guardPool } from '../faults/pool-guard';
import { createDatabaseWithAdmin, createTestDatabase, type TestDatabase } from './databases';

/** The first admin of every test service. */
export const ADMIN = { username: 'admin@operator.example', password: 'Operator-1' } as const;

/** The least that there is. */
const BCRYPT_COST = 4;

/**
 * Milliseconds for connections that tests have left open when their service stops. One with half a request,
 * such as a file that was refused, would last a minute.
 */
const OPEN_CONNECTIONS = 2000;

/** 32 bytes of nothing: tests need a key, not a secret. */
export const TEST_SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** The domain of passkeys, and the pages that use them. */
export const PASSKEYS = {
  rpId: 'panel.example',
  origins: ['https://panel.example', 'https://login.panel.example'],
} as const;

/**
 * Runs a statement. What stands in a template as `${value}` is a parameter; a text has `$1`
 * and its values beside it.
 */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    parts: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<Row[]>;
  <Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** What factories need of a service, wherever it runs. */
export interface ReachableService {
  readonly url: string;
  /** SQL on the service's database: to arrange what no request can, and to look at what is stored. */
  readonly sql: Sql;
}

/** The log lines of each service that was started, by its address: failures show those of their request. */
export const logsByUrl = new Map<string, readonly string[]>();

/** The real service on a database of its own, listening on a free port. */
export interface TestService extends ReachableService {
  readonly app: NestExpressApplication;
  readonly variant: VariantName;
  /** Every line that the service logged. */
  readonly logLines: string[];
  readonly database: TestDatabase;
  stop(): Promise<void>;
  /** Stops it at the end of a block that holds it with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Partial<Settings>;
  /** The database of another service: both variants may run at once on one. */
  readonly database?: TestDatabase;
  /** Providers and what stands in for them: `[[MailTransport, failingTransport]]`. */
  readonly overrides?: readonly Override[];
}

type Override = readonly [provider: abstract new (...args: never[]) => unknown, value: object];

/**
 * Settings as an operator would leave them, but for cheap password hashes, no limit on
 * public calls, and passkeys.
 */
export function testSettings(variant: VariantName, overrides: Partial<Settings> = {}): Settings {
  return {
    ...readSettings({
      API_VARIANT: variant,
      BCRYPT_COST: String(BCRYPT_COST),
      LOG_LEVEL: 'info',
      PORT: '0',
      WORKER: 'off',
    }),
    rateLimit: false,
    databasePool: 10,
    passkeys: PASSKEYS,
    ...overrides,
  };
}

/**
 * Starts the service in this process, with the first admin in its database. The caller stops it, or
 * holds it with `await using`.
 */
export async function startTestService(
  variant: VariantName,
  options: ServiceOptions = {},
): Promise<TestService> {
  const settings = testSettings(variant, options.settings);
  const database = options.database ?? (await databaseFor(settings));
  if (options.database !== undefined) await makeAdmin(database.url, settings);
  const logLines: string[] = [];
  const logger = createLogger(settings, { write: (line: string) => void logLines.push(line) });
  const app = await createApp(
    { settings, databaseUrl: database.url, secretsKey: TEST_SECRETS_KEY, logger },
    options.overrides && replacing(options.overrides),
  );
  guardPool(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  logsByUrl.set(url, logLines);
  const client = new Client({ connectionString: database.url });
  // Tests that cut the service's connections may cut this one: what it was asked then fails by itself.
  client.on('error', () => undefined);
  await client.connect();
  const stop = async (): Promise<void> => {
    await client.end();
    const cutOff = setTimeout(() => app.getHttpServer().closeAllConnections(), OPEN_CONNECTIONS);
    await app.close();
    clearTimeout(cutOff);
    if (options.database === undefined) await database.drop();
  };
  return {
    app,
    variant,
    url,
    sql: serialSql(client),
    logLines,
    database,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The template has an admin whose hash costs little, and no mark of the test clock. */
async function databaseFor(settings: Settings): Promise<TestDatabase> {
  if (!settings.testClock && settings.bcryptCost === BCRYPT_COST)
    return createDatabaseWithAdmin((url) => makeAdmin(url, settings));
  const database = await createTestDatabase();
  await makeAdmin(database.url, settings);
  return database;
}

const makeAdmin = (url: string, { bcryptCost, testClock }: Settings): Promise<unknown> =>
  ensureFirstAdmin(url, {
    adminUsername: ADMIN.username,
    adminPassword: ADMIN.password,
    bcryptCost,
    testClock,
  });

/** Builds the application through a testing module, which replaces the providers. */
const replacing =
  (overrides: readonly Override[]): Parameters<typeof createApp>[1] =>
  async (module, adapter, options) => {
    const { Test } = await import('@nestjs/testing');
    const builder = Test.createTestingModule({ imports: [module] });
    for (const [provider, value] of overrides) builder.overrideProvider(provider).useValue(value);
    return (await builder.compile()).createNestApplication(adapter, options);
  };

/**
 * Options that are known only when the hooks run, such as the address of a mail server, come from a function.
 */
type LateOptions = ServiceOptions | (() => ServiceOptions);

/**
 * Declares the tests of a block once for each variant, each on a service that runs as long as the block does.
 */
export const describeService = <Name extends VariantName>(
  variants: readonly Name[],
  title: string,
  tests: (service: TestService, variant: Name) => void,
): void => describe.each(variants)(title, (variant) => tests(useService(variant), variant));

/** Services side by side on one database, for all tests of the file or block that calls this. */
export function useServices<const Names extends readonly VariantName[]>(
  variants: Names,
  options: LateOptions = {},
): { readonly [Index in keyof Names]: TestService } {
  const services = variants.map((variant) => new ServiceOfHooks(variant));
  beforeAll(async () => {
    const given = typeof options === 'function' ? options() : options;
    let { database } = given;
    for (const service of services) {
      const started = await startTestService(service.variant, { ...given, database });
      service.running = started;
      database = started.database;
    }
  });
  // The first one drops the database.
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });
  return services as { readonly [Index in keyof Names]: TestService };
}

/** A service that the hooks of a file or block start: whoever reads it before is told so. */
export class ServiceOfHooks implements TestService {
  private started: TestService | undefined;

  constructor(readonly variant: VariantName) {}

  get running(): TestService {
    if (this.started === undefined)
      throw new Error(
        'The service has not started: read it in a test or a hook, not while tests are declared',
      );
    return this.started;
  }

  set running(started: TestService) {
    this.started = started;
  }

  get app(): NestExpressApplication {
    return this.running.app;
  }

  get url(): string {
    return this.running.url;
  }

  get sql(): Sql {
    return this.running.sql;
  }

  get logLines(): string[] {
    return this.running.logLines;
  }

  get database(): TestDatabase {
    return this.running.database;
  }

  /** Nothing where the start has failed, which has said so. */
  async stop(): Promise<void> {
    await this.started?.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/**
 * A service for all tests of the file or block that calls this; nothing can be read
 * from it before the hooks run.
 */
export const useService = (variant: VariantName, options?: LateOptions): TestService =>
  runBetween(beforeAll, afterAll, variant, options);

/** The same on a database of another kind, which is dropped in the end. */
export function useServiceOn(
  variant: VariantName,
  makeDatabase: () => Promise<TestDatabase>,
  options: () => Omit<ServiceOptions, 'database'> = () => ({}),
): TestService {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await makeDatabase();
  });
  const service = useService(variant, () => ({ ...options(), database }));
  afterAll(() => database.drop());
  return service;
}

/** The same with a new service, on a new database, for each test. */
export const useServicePerTest = (variant: VariantName, options?: LateOptions): TestService =>
  runBetween(beforeEach, afterEach, variant, options);

function runBetween(
  before: typeof beforeAll,
  after: typeof afterAll,
  variant: VariantName,
  options: LateOptions = {},
): TestService {
  const service = new ServiceOfHooks(variant);
  before(async () => {
    service.running = await startTestService(variant, typeof options === 'function' ? options() : options);
  });
  after(() => service.stop());
  return service;
}

/** SQL on one connection, a statement at a time: whoever makes rows side by side asks for many at once. */
export function serialSql(client: Client): Sql {
  let last: Promise<unknown> = Promise.resolve();
  return <Row extends object>(text: string | TemplateStringsArray, ...values: readonly unknown[]) => {
    const statement =
      typeof text === 'string'
        ? { text, values: [...((values[0] as unknown[] | undefined) ?? [])] }
        : { text: text.reduce((before, part, index) => `${before}$${index}${part}`), values: [...values] };
    const result = last.then(() => client.query<Row>(statement));
    last = result.catch(() => undefined);
    return result.then(({ rows }) => rows);
  };
}
