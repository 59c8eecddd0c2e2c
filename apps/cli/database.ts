import { userInfo } from 'node:os';
import { DataSource } from 'typeorm';
import { ApiKey } from '@app/apikeys/api-key.entity';
import { TrustedDevice } from '@app/auth/trusted-device.entity';
import { Contact } from '@app/contacts/contact.entity';
import { RequestContext } from '@app/platform/context/request-context';
import { dataSourceOptions, directDatabase } from '@app/platform/database/data-source-options';
import { assertPoolerMode } from '@app/platform/database/pooler-mode';
import { type DatabaseLimits, LONG_LIMITS } from '@app/platform/database/database-limits';
import { type Pooler, poolOf } from '@app/platform/database/database-pool';
import { startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { Transactions } from '@app/platform/database/transactions';
import type { Settings } from '@app/platform/process/settings';
import { Organisation, OrganisationType, PriceGroup } from '@app/organisations/organisation.entity';
import { SshKey } from '@app/sshkeys/ssh-key.entity';
import { User } from '@app/users/user.entity';
import { CommandFailed } from './outcome';
import type { Terminal } from './terminal';
import { MIGRATIONS } from '../../libs/migrations/all';
import { isJobSchemaCurrent } from '@app/platform/jobs/job-tables';
import { createRequire } from 'node:module';
import type { INestApplicationContext } from '@nestjs/common';
import type * as Nest from '@nestjs/core';
import { createLogger } from '@app/platform/observability/logger';
import { secretsKeyOf } from '@app/security/secrets/encryption';
import type * as Service from '@app/service/app.module';

/** A command runs one statement after the other; an import holds a lock on a second connection. */
const CONNECTIONS = 3;

/** The database of a command. */
export interface Database {
  readonly dataSource: DataSource;
  /** The command and who runs it, as the audit log names them. */
  readonly ctx: RequestContext;
  readonly transactions: Transactions;
}

/** Runs work with the URL of the configured database; joins or starts the embedded one, and leaves it again. */
export async function withDatabaseUrl<Result>(
  settings: Settings,
  terminal: Terminal,
  work: (databaseUrl: string, pooler?: Pooler) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl !== undefined) {
    await assertPoolerMode(settings);
    const direct = directDatabase(settings, settings.databaseUrl);
    return work(direct.url, direct.pooler);
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    log: (line) => terminal.note(line),
  });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** Connects to a database whose schema must be that of this program, and disconnects. */
export async function withDatabase<Result>(
  command: string,
  settings: Settings,
  terminal: Terminal,
  work: (database: Database) => Promise<Result>,
  limits?: DatabaseLimits,
): Promise<Result> {
  return withDatabaseUrl(settings, terminal, (databaseUrl, pooler) =>
    connected({ databaseUrl, pooler, limits }, async (dataSource) => {
      if ((await pendingMigrations(dataSource)).length > 0) {
        throw new CommandFailed('the schema of the database is not up to date: run `migrate` first');
      }
      const ctx = RequestContext.forCommand(command, accountName());
      return work({ dataSource, ctx, transactions: new Transactions(dataSource) });
    }),
  );
}

/** Where a command works, and for how long its statements may. */
interface Connection {
  readonly databaseUrl: string;
  readonly pooler: Pooler | undefined;
  readonly limits?: DatabaseLimits | undefined;
}

/** Connects to a database as it is, and disconnects. */
export async function connected<Result>(
  { databaseUrl, pooler, limits = LONG_LIMITS }: Connection,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const options = dataSourceOptions(databaseUrl, CONNECTIONS, { limits, pooler });
  const entities = [User, TrustedDevice, Organisation, OrganisationType, PriceGroup, Contact, SshKey, ApiKey];
  const dataSource = await new DataSource({ ...options, entities }).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** The account of the machine; a container may run as a number without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Names of the migrations that `migrate` would run, in order. Writes nothing, unlike TypeORM's `showMigrations`. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const done = new Set<string>();
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  if (table?.found === true) {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    for (const { name } of rows) done.add(name);
  }
  const pending = MIGRATIONS.map(({ name }) => name).filter((name) => !done.has(name));
  return (await isJobSchemaCurrent(dataSource)) ? pending : [...pending, 'graphile-worker'];
}

const load = createRequire(__filename);

/** For the modules of the service. */
const MODULE_CONNECTIONS = 5;

/**
 * Runs work with the modules of the service on the database of a command, without HTTP and jobs: for commands in which
 * every domain has a part. Loads them here, so that other commands do not wait for them.
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
  // A command sends no traces.
  const own = {
    ...settings,
    worker: false,
    databasePool: MODULE_CONNECTIONS,
    databasePooler,
    tracing: false,
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
