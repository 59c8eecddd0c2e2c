import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '@app/core/database/migrations/all';
import { JOB_SCHEMA_REVISION } from '@app/core/jobs/job-schema';

/** Names of what `migrate` would run on a database, in order. Writes nothing, unlike TypeORM's own question. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const done = new Set<string>();
  if (await exists(dataSource, 'migrations')) {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    for (const { name } of rows) done.add(name);
  }
  const pending = MIGRATIONS.map(({ name }) => name).filter((name) => !done.has(name));
  return (await jobRevision(dataSource)) < JOB_SCHEMA_REVISION ? [...pending, 'graphile-worker'] : pending;
}

async function jobRevision(dataSource: DataSource): Promise<number> {
  if (!(await exists(dataSource, 'graphile_worker.migrations'))) return 0;
  const [row] = await dataSource.query<{ revision: number }[]>(
    'SELECT coalesce(max(id), 0) AS revision FROM graphile_worker.migrations',
  );
  return row?.revision ?? 0;
}

async function exists(dataSource: DataSource, table: string): Promise<boolean> {
  const [row] = await dataSource.query<{ found: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS found', [
    table,
  ]);
  return row?.found === true;
}
