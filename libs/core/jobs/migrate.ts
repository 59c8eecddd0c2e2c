import { DataSource } from 'typeorm';
import { migrateJobSchema } from './job-schema';
import { dataSourceOptions } from '../database/data-source-options';

/** No two processes migrate at once; the second finds nothing left to do. */
const MIGRATION_LOCK = 7_218_450_000;

/**
 * Brings the schema of a database up to date and gives the names of the migrations that ran. Safe to call
 * from several processes that start at the same time.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const options = dataSourceOptions(databaseUrl, 2);
  const dataSource = await new DataSource({
    ...options,
    // A migration may rightly take longer than a request, but must not queue behind a lock and block others.
    extra: { ...(options.extra as object), statement_timeout: 0, lock_timeout: 0 },
  }).initialize();
  try {
    const lock = dataSource.createQueryRunner();
    try {
      await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      const migrations = await dataSource.runMigrations();
      const jobs = await migrateJobSchema(dataSource, databaseUrl);
      return [...migrations.map((migration) => migration.name), ...(jobs ? ['graphile-worker'] : [])];
    } finally {
      await lock.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
      await lock.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
