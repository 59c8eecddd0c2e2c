import type { DataSource } from 'typeorm';
import { poolOf } from '../database/pool';

/** The newest migration of graphile-worker 0.17.3; a test compares it with the installed package. */
export const JOB_SCHEMA_REVISION = 19;

/**
 * Brings graphile-worker's own tables up to date and tells whether it had to. The package is loaded only then: a
 * start on a database that is up to date must not pay for it.
 */
export async function migrateJobSchema(dataSource: DataSource): Promise<boolean> {
  if ((await installedRevision(dataSource)) >= JOB_SCHEMA_REVISION) return false;
  const { runMigrations, Logger } = await import('graphile-worker');
  const silent = new Logger(() => () => undefined);
  await runMigrations({
    pgPool: poolOf(dataSource),
    schema: 'graphile_worker',
    logger: silent,
  });
  return true;
}

async function installedRevision(dataSource: DataSource): Promise<number> {
  const [{ installed }] = await dataSource.query<[{ installed: boolean }]>(
    `SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS installed`,
  );
  if (!installed) return 0;
  const [{ revision }] = await dataSource.query<[{ revision: number }]>(
    `SELECT coalesce(max(id), 0) AS revision FROM graphile_worker.migrations`,
  );
  return revision;
}
