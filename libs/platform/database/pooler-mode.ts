import type { PoolClient } from 'pg';
import { SettingError, type Settings } from '../process/settings';
import { REQUEST_LIMITS } from './database-limits';
import { DatabasePool } from './database-pool';

/** Other clients of the pooler may take the connection that the probe looks for. */
const ROUNDS = 3;

/** Throws a {@link SettingError} if a pooler that is set as one for sessions gives out connections for a transaction. */
export async function assertPoolerMode(settings: Settings): Promise<void> {
  const { databaseUrl, databaseDirectUrl, databasePooler } = settings;
  if (databasePooler === undefined || databaseUrl === undefined) return;
  if (databasePooler === 'session' && (await isForTransactions(databaseUrl))) {
    throw new SettingError(
      'DATABASE_POOLER is session, but the pooler at DATABASE_URL gives out connections for a transaction: set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  }
  if (databaseDirectUrl !== undefined && (await isForTransactions(databaseDirectUrl))) {
    throw new SettingError(
      'DATABASE_DIRECT_URL leads to a pooler that gives out connections for a transaction: set it to PostgreSQL itself',
    );
  }
}

/**
 * A session keeps its server process. A pooler for transactions gives the idle one of a session to the next transaction,
 * or gives each statement of a session another one.
 */
async function isForTransactions(connectionString: string): Promise<boolean> {
  const pool = new DatabasePool({
    connectionString,
    max: 2,
    limits: REQUEST_LIMITS,
    // Sets nothing on connections that may go to others.
    pooler: 'transaction',
    applicationName: 'account-api',
  });
  const clients: PoolClient[] = [];
  try {
    clients.push(await pool.connect(), await pool.connect());
    const [one, other] = clients as [PoolClient, PoolClient];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await serverProcessOf(one);
      await other.query('BEGIN');
      if ((await serverProcessOf(other)) === before || (await serverProcessOf(one)) !== before) return true;
      await other.query('ROLLBACK');
    }
    return false;
  } finally {
    for (const client of clients) client.release(true);
    await pool.end();
  }
}

async function serverProcessOf(client: PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
