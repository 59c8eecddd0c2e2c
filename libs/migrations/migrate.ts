import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { OperatorError } from '@app/config/operator-errors';
import { dataSourceOptions } from '@app/platform/database/data-source-options';
import { MIGRATION_LIMITS } from '@app/platform/database/database-limits';
import { type DatabasePool, poolOf } from '@app/platform/database/database-pool';
import { migrateJobSchema } from '@app/platform/jobs/job-tables';
import { MIGRATIONS } from './all';
import { migrationState } from './recorded-migrations';

/** Key of the advisory lock. */
const MIGRATION_LOCK = 7_218_450_000;
/**
 * Milliseconds that a second process waits for the lock. Then it ends, and its supervisor starts it again.
 */
const MAX_LOCK_WAIT = 120_000;
const LOCK_POLL_INTERVAL = 200;

/** Milliseconds between two checks of the server during a migration. */
const HEARTBEAT_INTERVAL = 5000;

/** Milliseconds of waiting before a message: processes that start together wait for each other briefly. */
const SILENT_LOCK_WAIT = 1000;

class MigrationLocked extends OperatorError {
  constructor(holder: string) {
    super(
      `another process has been migrating the database for ${MAX_LOCK_WAIT / 1000} s (${holder}): start again when it has ended`,
    );
  }
}

/** Migrations would mix their tables with those of another program. */
class ForeignDatabase extends OperatorError {
  constructor(table: string) {
    super(
      `DATABASE_URL names a database that holds tables of another program ("${table}"): create one for the service`,
    );
  }
}

/** Callbacks that follow a migration. */
interface Watch {
  /** Receives a line about a long wait. */
  readonly say?: (line: string) => void;
  /** Ends a wait for another process. A migration that has begun continues. */
  readonly stopWanted?: AbortSignal;
}

/**
 * Migrates a database and returns the names of the migrations that ran. Several processes may call it at
 * once: the lock lets one work, the others find nothing left to do. The lock belongs to a session:
 * `databaseUrl` must keep sessions.
 */
export async function migrate(databaseUrl: string, watch: Watch = {}): Promise<string[]> {
  // One connection holds the lock, the other migrates.
  const options = dataSourceOptions(databaseUrl, 2, { limits: MIGRATION_LIMITS });
  const migrations = [...MIGRATIONS];
  // The caller reports why a migration failed; TypeORM's console would report it again.
  const dataSource = await new DataSource({ ...options, migrations, logger: 'debug' }).initialize();
  const pool = poolOf(dataSource);
  try {
    const lock = await pool.connect();
    try {
      await takeLock(lock, watch);
      await assertOwnDatabase(lock);
      await migrationState(lock);
      const stopHeartbeat = startHeartbeat(lock, pool);
      try {
        const done = await dataSource.runMigrations();
        const jobs = await migrateJobSchema(dataSource);
        return [...done.map(({ name }) => name), ...(jobs ? ['graphile-worker'] : [])];
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

/** Polls, because a wait inside a statement would prevent migrations from building indexes concurrently. */
async function takeLock(lock: PoolClient, { say, stopWanted }: Watch): Promise<void> {
  const start = performance.now();
  for (let isTold = false; ; await pause(LOCK_POLL_INTERVAL)) {
    stopWanted?.throwIfAborted();
    const { rows } = await lock.query<{ isLocked: boolean }>(
      `SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS "isLocked"`,
    );
    if (rows[0]?.isLocked === true) return;
    const waited = performance.now() - start;
    if (waited > MAX_LOCK_WAIT) throw new MigrationLocked(await holderOfLock(lock));
    if (isTold || waited < SILENT_LOCK_WAIT) continue;
    isTold = true;
    say?.(`Waiting for another process that migrates the database: ${await holderOfLock(lock)}`);
  }
}

/** For the operator, who may have to end a connection that remains after a crash or behind a pooler. */
async function holderOfLock(lock: PoolClient): Promise<string> {
  const { rows } = await lock.query<{ holder: string }>(
    `SELECT concat('PostgreSQL process ', pid, ', connected since ', backend_start::timestamptz(0),
       ' from ' || host(client_addr)) AS holder
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32 | objid::bigint) = ${MIGRATION_LOCK}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows[0]?.holder ?? 'it has ended just now';
}

/** Tables exist but the migration is not recorded: another program owns them. */
async function assertOwnDatabase(lock: PoolClient): Promise<void> {
  const { rows } = await lock.query<{ name: string }>(
    `SELECT name FROM unnest(ARRAY['users', 'organisations']) AS own (name)
     WHERE to_regclass(name) IS NOT NULL AND to_regclass('migrations') IS NULL`,
  );
  if (rows[0] !== undefined) throw new ForeignDatabase(rows[0].name);
}

/**
 * A migration may take long without any output. The heartbeat queries the server on the connection of the
 * lock. Without an answer all connections end, because the lock may be lost.
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
