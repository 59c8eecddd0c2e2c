import { defaults } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { urlsOfHosts } from './database-hosts';
import { REQUEST_LIMITS, type DatabaseLimits } from './database-limits';
import { DatabasePool, type DatabasePoolConfig, type Pooler } from './database-pool';
import { MIGRATIONS } from './migrations/all';

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
  const pool: DatabasePoolConfig = {
    connectionString: url,
    max: poolSize,
    limits,
    pooler,
    applicationName: 'account-api',
  };
  return {
    type: 'postgres',
    // TypeORM reads the name of the database from it; the connections are made by what stands in `extra`.
    url: urlsOfHosts(url)[0] ?? url,
    driver: { Pool: DatabasePool, defaults },
    migrations: [...MIGRATIONS],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize,
    // Identifiers and counts fit in 32 bits; bigint columns (TOTP steps) are far below 2^53.
    parseInt8: true,
    extra: pool,
  };
}
