import type { Pooler } from '@app/core/database/database-pool';
import { migrate } from '@app/core/jobs/migrate';
import { connected } from '../database';
import { EXIT, type Outcome } from '../outcome';
import { pendingMigrations } from '../pending-migrations';

/** Brings the schema up to date, or says what that would run. */
export async function migrateDatabase(
  databaseUrl: string,
  pooler: Pooler | undefined,
  isTrial: boolean,
): Promise<Outcome> {
  const migrations = isTrial
    ? await connected({ databaseUrl, pooler }, pendingMigrations)
    : await migrate(databaseUrl, pooler);
  const done = migrations.length === 0 ? 'The schema is up to date' : `${isTrial ? 'Would run' : 'Ran'}:`;
  return { exitCode: EXIT.ok, report: { dryRun: isTrial, migrations }, lines: [done, ...migrations] };
}
