import { userInfo } from 'node:os';
import { DataSource } from 'typeorm';
import type { Settings } from '@app/config/settings';
import { startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { type MigrationState, migrationState, newerSchema } from '@app/migrations/recorded-migrations';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { type DatabaseLimits, LONG_LIMITS } from '@app/platform/database/database-limits';
import { poolOf } from '@app/platform/database/database-pool';
import { Transactions } from '@app/platform/database/transactions';
import { isJobSchemaCurrent } from '@app/platform/jobs/job-tables';
import { RequestContext } from '@app/security/context/request-context';
import { assertKeepsSessions } from '@app/service/deployment/pooler-mode';
import { ENTITY_FILES } from './entity-files';
import { CommandFailed } from './outcome';
import type { Terminal } from './terminal';

/** A command runs one statement after the other. An import holds a lock on a second connection. */
const CONNECTIONS = 3;

/** A run of a command, with its database. */
export interface CommandRun {
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly dataSource: DataSource;
  /** The command and its operator, for the audit log. */
  readonly ctx: RequestContext;
  readonly transactions: Transactions;
}

/**
 * Runs work with the URL of the configured database. Starts or joins the embedded one,
 * and leaves it at the end.
 */
export async function withDatabaseUrl<Result>(
  settings: Settings,
  terminal: Terminal,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl !== undefined) {
    await assertKeepsSessions(settings);
    return work(settings.databaseDirectUrl ?? settings.databaseUrl);
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

/** Connects to a database whose schema must be that of this build, and disconnects. */
export async function withDatabase<Result>(
  command: string,
  settings: Settings,
  terminal: Terminal,
  work: (run: CommandRun) => Promise<Result>,
  limits = LONG_LIMITS,
): Promise<Result> {
  return withDatabaseUrl(settings, terminal, (databaseUrl) =>
    connected(databaseUrl, limits, async (dataSource) => {
      const state = await schemaState(dataSource);
      if (state.pending.length > 0) {
        throw new CommandFailed('the schema of the database is not up to date: run `migrate` first');
      }
      const newer = newerSchema(state);
      if (newer !== undefined) terminal.say(newer);
      const bulkheads = new Bulkheads(poolOf(dataSource).options.max);
      const ctx = RequestContext.forCommand(command, accountName());
      return work({
        settings,
        terminal,
        dataSource,
        ctx,
        transactions: new Transactions(dataSource, bulkheads),
      });
    }),
  );
}

/** Connects to a database with any schema, and disconnects. */
export async function connected<Result>(
  databaseUrl: string,
  limits: DatabaseLimits,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const options = dataSourceOptions(databaseUrl, CONNECTIONS, { limits });
  const dataSource = await new DataSource({ ...options, entities: [ENTITY_FILES] }).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** The account of the operating system. A container may run under a number without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/**
 * The migrations that `migrate` would run, those of jobs too, and those that this build does not know. Writes
 * nothing, unlike TypeORM's `showMigrations`. Throws the error of `migrate` for a database that no migration
 * can bring up to date.
 */
export async function schemaState(dataSource: DataSource): Promise<MigrationState> {
  const { pending, unknown } = await migrationState(poolOf(dataSource));
  return {
    pending: (await isJobSchemaCurrent(dataSource)) ? pending : [...pending, 'graphile-worker'],
    unknown,
  };
}
