import { userInfo } from 'node:os';
import { DataSource } from 'typeorm';
import { ApiKey } from '@app/apikeys/api-key.entity';
import { Contact } from '@app/contacts/contact.entity';
import { actingAs } from '@app/core/actor/actor-context';
import { dataSourceOptions } from '@app/core/database/data-source-options';
import { LONG_LIMITS, type DatabaseLimits } from '@app/core/database/database-limits';
import type { Pooler } from '@app/core/database/database-pool';
import { directDatabase } from '@app/core/database/direct-database';
import { startEmbeddedPostgres } from '@app/core/database/embedded-postgres';
import { Transactions } from '@app/core/database/transactions';
import type { Settings } from '@app/core/settings/settings';
import { OrganisationType } from '@app/organisations/organisation-type.entity';
import { Organisation } from '@app/organisations/organisation.entity';
import { PriceGroup } from '@app/organisations/price-group.entity';
import { SshKey } from '@app/sshkeys/ssh-key.entity';
import { User } from '@app/users/user.entity';
import { CommandFailed } from './outcome';
import { pendingMigrations } from './pending-migrations';
import type { Terminal } from './terminal';

/** A command does one thing after the other; an import holds a lock beside it. */
const CONNECTIONS = 3;

/** What a command works on. */
export interface Database {
  readonly dataSource: DataSource;
  /** Writes go through these: the audit log then names the command and who ran it. */
  readonly transactions: Transactions;
}

/** Gives work the URL of the database of the settings; the embedded one is joined or started, and left again. */
export async function withDatabaseUrl<Result>(
  settings: Settings,
  terminal: Terminal,
  work: (databaseUrl: string, pooler?: Pooler) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl !== undefined) {
    const direct = directDatabase(settings, settings.databaseUrl);
    return work(direct.url, direct.pooler);
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    log: (line) => terminal.say(line),
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
      const actor = { credentialKind: 'command', name: accountName(), requestId: command } as const;
      return actingAs(
        () => actor,
        () => work({ dataSource, transactions: new Transactions(dataSource) }),
      );
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
  const entities = [User, Organisation, OrganisationType, PriceGroup, Contact, SshKey, ApiKey];
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
