import { defaults } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { urlsOfHosts } from './database-hosts';
import { type DatabaseLimits, REQUEST_LIMITS } from './database-limits';
import { DatabasePool, type DatabasePoolConfig, type Pooler } from './database-pool';
import { SchemaNames } from './schema-names';
import type { Settings } from '../process/settings';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

interface ConnectionOptions {
  readonly limits?: DatabaseLimits;
  readonly pooler?: Pooler | undefined;
}

/** How every process of the project connects to PostgreSQL. The schema comes from migrations only. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  { limits = REQUEST_LIMITS, pooler }: ConnectionOptions = {},
): PostgresOptions {
  const applicationName = 'account-api';
  const pool: DatabasePoolConfig = { connectionString: url, max: poolSize, limits, pooler, applicationName };
  return {
    type: 'postgres',
    // TypeORM reads the name of the database from `url`; the pool connects with `extra`.
    url: urlsOfHosts(url)[0] ?? url,
    driver: { Pool: DatabasePool, defaults },
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    namingStrategy: new SchemaNames(),
    poolSize,
    // Identifiers and counts fit in 32 bits; bigint columns (TOTP steps) are far below 2^53.
    parseInt8: true,
    extra: pool,
  };
}

/**
 * The database past a pooler, for what belongs to a session: locks, LISTEN, settings. A pooler for sessions is fine there.
 * `url` is the database of requests.
 */
export const directDatabase = (
  { databaseDirectUrl, databasePooler }: Settings,
  url: string,
): { readonly url: string; readonly pooler: Pooler | undefined } => ({
  url: databaseDirectUrl ?? url,
  pooler: databasePooler === undefined ? undefined : 'session',
});
