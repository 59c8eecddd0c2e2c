import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../database/data-source-options';
import { MIGRATION_LIMITS } from '../database/database-limits';
import type { DatabasePool, Pooler } from '../database/database-pool';
import { poolOf } from '../database/pool';
import { migrateJobSchema } from './job-schema';

/** No two processes migrate at once; the second finds nothing left to do. */
const MIGRATION_LOCK = 7_218_450_000;
/** Milliseconds that the second waits for the first before it ends, to be started again by whoever keeps it running. */
const MAX_LOCK_WAIT = 120_000;
const LOCK_POLL_INTERVAL = 200;

/** Milliseconds between two questions to the server whether it is there while a migration works on it. */
const HEARTBEAT_INTERVAL = 5000;

/** Another process holds the lock for longer than this one waits. */
class MigrationLocked extends Error {
  readonly explained = true;

  constructor() {
    super(
      `another process has been migrating the database for ${MAX_LOCK_WAIT / 1000} s: start again when it has ended`,
    );
  }
}

/**
 * Brings the schema of a database up to date and gives the names of the migrations that ran. Safe to call from several
 * processes that start at the same time. The connection must be one to PostgreSQL itself or through a pooler that keeps
 * it for a session: the lock is that of a session.
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
      // Ending the connection gives the lock back, also where the server does not answer any more.
      lock.release(true);
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Asked for again and again: whoever waits inside a statement keeps migrations from building indexes concurrently. */
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
 * A migration may be silent for as long as it takes. Whether the server still lives is asked on the connection of the
 * lock: without an answer everything ends, as it must when the lock is lost.
 */
function startHeartbeat(lock: PoolClient, pool: DatabasePool): () => void {
  pool.limitSilence(0);
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
