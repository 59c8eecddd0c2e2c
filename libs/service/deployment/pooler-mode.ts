import type { PoolClient } from 'pg';
import { SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';
import { DatabasePool } from '@app/platform/database/database-pool';
import { explain } from '@app/platform/process/run-process';

/** Several, because other clients of the pooler may take the connection that the probe looks for. */
const ROUNDS = 3;

/**
 * Throws an error if connections that must keep their session lead to nothing, or to a
 * pooler in transaction mode.
 */
export async function assertKeepsSessions({ databaseUrl, databaseDirectUrl }: Settings): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined) return;
  const name = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  const isPooled = await changesServers(url).catch((error: unknown) => {
    if (databaseDirectUrl === undefined) throw error;
    throw new SettingError(...explain(error).map((line) => line.replace(/^DATABASE_URL/, name)));
  });
  const inMode = `${name} leads to a pooler in transaction mode`;
  if (isPooled) throw new SettingError(`${inMode}: set DATABASE_DIRECT_URL to PostgreSQL itself`);
}

/**
 * A session keeps its server process. A pooler in transaction mode gives the idle process of a session to the
 * next transaction, or another process to each statement of a session.
 */
async function changesServers(connectionString: string): Promise<boolean> {
  // Avoids settings, because other clients may get these connections.
  const pool = new DatabasePool({ connectionString, max: 2, keepsSessions: false });
  const clients: PoolClient[] = [];
  pool.on('acquire', (client) => clients.push(client));
  try {
    const one = await pool.connect();
    const other = await pool.connect();
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
