import type { PoolClient } from 'pg';
import { SettingError, type Settings } from '@app/platform/process/settings';
import { DatabasePool } from '@app/platform/database/database-pool';
import type { DatabaseClient } from '@app/platform/database/pg-reads/database-client';

/** Several, because other clients of the pooler may take the connection that the probe looks for. */
const ROUNDS = 3;

/** Throws a {@link SettingError} if connections that must keep their session lead to a pooler in transaction mode. */
export async function assertKeepsSessions({ databaseUrl, databaseDirectUrl }: Settings): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined || !(await changesServers(url))) return;
  throw new SettingError(
    databaseDirectUrl === undefined
      ? 'DATABASE_URL leads to a pooler in transaction mode: set DATABASE_DIRECT_URL to PostgreSQL itself'
      : 'DATABASE_DIRECT_URL leads to a pooler in transaction mode: set it to PostgreSQL itself',
  );
}

/**
 * A session keeps its server process. A pooler in transaction mode gives the idle process of a session to the next transaction,
 * or another process to each statement of a session.
 */
async function changesServers(connectionString: string): Promise<boolean> {
  // Avoids settings, because other clients may get these connections.
  const pool = new DatabasePool({ connectionString, max: 2, keepsSessions: false });
  const clients: PoolClient[] = [];
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    clients.push(client);
    return client;
  };
  try {
    const one = await connect();
    if ((await serverProcessOf(one)) === (one as unknown as DatabaseClient).processID) return false;
    const other = await connect();
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
