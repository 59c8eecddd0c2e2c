import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../database/data-source-options';
import { MIGRATION_LIMITS } from '../database/database-limits';
import { type DatabasePool, type Pooler, poolOf } from '../database/database-pool';
import { OperatorError } from '../process/settings';
import { migrateJobSchema } from './job-tables';

/** Key of the advisory lock. */
const MIGRATION_LOCK = 7_218_450_000;
/** Milliseconds that a second process waits for the lock, before it ends and its supervisor starts it again. */
const MAX_LOCK_WAIT = 120_000;
const LOCK_POLL_INTERVAL = 200;

/** Milliseconds between two checks of the server during a migration. */
const HEARTBEAT_INTERVAL = 5000;

class MigrationLocked extends OperatorError {
  constructor() {
    super(
      `another process has been migrating the database for ${MAX_LOCK_WAIT / 1000} s: start again when it has ended`,
    );
  }
}

/**
 * Migrates a database and returns the names of the migrations that ran. Several processes may call it at once: the lock lets
 * one work, the others find nothing left to do. The lock belongs to a session, so a pooler must be one for sessions.
 */
export async function migrate(databaseUrl: string, pooler?: Pooler): Promise<string[]> {
  // One connection holds the lock, the other migrates.
  const options = dataSourceOptions(databaseUrl, 2, { limits: MIGRATION_LIMITS, pooler });
  const dataSource = await new DataSource(options).initialize();
  const pool = poolOf(dataSource);
  try {
    const lock = await pool.connect();
    try {
      await takeLock(lock);
      const stopHeartbeat = startHeartbeat(lock, pool);
      try {
        const migrations = await dataSource.runMigrations();
        const jobs = await migrateJobSchema(dataSource);
        return [...migrations.map((migration) => migration.name), ...(jobs ? ['graphile-worker'] : [])];
      } finally {
        stopHeartbeat();
      }
    } finally {
      // The end of the connection frees the lock, even if the server no longer answers.
      lock.release(true);
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Polls: a wait inside a statement would keep migrations from building indexes concurrently. */
async function takeLock(lock: PoolClient): Promise<void> {
  for (const end = performance.now() + MAX_LOCK_WAIT; ; await pause(LOCK_POLL_INTERVAL)) {
    const { rows } = await lock.query<{ isLocked: boolean }>(
      `SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS "isLocked"`,
    );
    if (rows[0]?.isLocked === true) return;
    if (performance.now() > end) throw new MigrationLocked();
  }
}

/**
 * A migration may be silent for long. The heartbeat asks the server on the connection of the lock. Without an answer all
 * connections end, as they must when the lock is lost.
 */
function startHeartbeat(lock: PoolClient, pool: DatabasePool): () => void {
  pool.setSocketTimeout(0);
  let state: 'idle' | 'asking' | 'over' = 'idle';
  const ask = async (): Promise<void> => {
    if (state !== 'idle') return;
    state = 'asking';
    try {
      await lock.query('SELECT 1');
      if (state === 'asking') state = 'idle';
    } catch {
      if (state === 'asking') pool.cut();
    }
  };
  const timer = setInterval(() => void ask(), HEARTBEAT_INTERVAL);
  return () => {
    state = 'over';
    clearInterval(timer);
  };
}
