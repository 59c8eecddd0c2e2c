import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations/all';

/** Milliseconds after which work that hangs is given up, so that a sick database gives quick 503 answers. */
const CONNECT_TIMEOUT = 3000;
const STATEMENT_TIMEOUT = 15_000;
const LOCK_TIMEOUT = 5000;
const IDLE_IN_TRANSACTION_TIMEOUT = 20_000;

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** How every process of the project connects to PostgreSQL. The schema comes from migrations only. */
export function dataSourceOptions(url: string, poolSize: number): PostgresOptions {
  return {
    type: 'postgres',
    url,
    migrations: [...MIGRATIONS],
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT,
    // Identifiers and counts fit in 32 bits; bigint columns (TOTP steps) are far below 2^53.
    parseInt8: true,
    extra: {
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      lock_timeout: LOCK_TIMEOUT,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
      idleTimeoutMillis: 30_000,
      application_name: 'account-api',
      // Compiling a statement takes PostgreSQL some hundred milliseconds, each time anew: more than it can save here.
      options: '-c jit=off',
    },
  };
}
