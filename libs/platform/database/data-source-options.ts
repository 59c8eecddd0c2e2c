import { defaults } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { Settings } from '@app/config/settings';
import { urlsOfHosts } from '@app/formats/connection-string';
import { DatabasePool, type DatabasePoolConfig } from './database-pool';
import { SchemaNames } from './schema-names';

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

type ConnectionOptions = Pick<DatabasePoolConfig, 'limits' | 'keepsSessions'>;

/** What TypeORM takes of pg, with another pool. */
export const driverOf = (pool: typeof DatabasePool) => ({ Pool: pool, defaults });

/**
 * The options by which every process of the project connects to PostgreSQL. The schema
 * comes only from migrations.
 */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  options: ConnectionOptions = {},
): PostgresOptions {
  const pool: DatabasePoolConfig = { connectionString: url, max: poolSize, ...options };
  return {
    type: 'postgres',
    // TypeORM reads the name of the database from `url`; the pool connects with `extra`.
    url: urlsOfHosts(url)[0] ?? url,
    driver: driverOf(DatabasePool),
    migrationsTransactionMode: 'each',
    // Sessions have it from their start; those behind a pooler in transaction mode keep nothing.
    ...(options.keepsSessions === false && { isolationLevel: 'READ COMMITTED' as const }),
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
 * Whether connections to `DATABASE_URL` keep the state of a session: locks, LISTEN,
 * settings, prepared statements.
 */
export const keepsSessions = ({ databaseDirectUrl }: Settings): boolean => databaseDirectUrl === undefined;
