import type { Pool, PoolClient } from 'pg';

/**
 * Keeps a connection that breaks from ending the process. The pool listens for errors of idle connections only, and
 * whoever takes one begins to listen a moment later: a server that goes away between the two, as in a failover under
 * load, raises an error that nobody hears. There is nothing to do about it here: the next query on it fails, is
 * answered with 503, and the pool drops the connection.
 */
export function hearLostConnections(pool: Pool): void {
  const heard = new WeakSet<PoolClient>();
  // Raised before the pool stops to listen itself.
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => undefined);
  });
}
