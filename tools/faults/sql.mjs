// Single statements, each on a connection of its own.
import pg from 'pg';

/** The rows of a statement. Milliseconds: how long to wait for the connection, and for the rows. */
export async function ask(url, text, values = [], { connecting = 5000, waiting = 30_000 } = {}) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connecting,
    query_timeout: waiting,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text, values)).rows;
  } finally {
    client.end().catch(() => undefined);
  }
}

const works = (answer) =>
  answer.then(
    () => true,
    () => false,
  );

/** Whether one row can be written at a port within the time. */
export const canWrite = (port, within = 1000) =>
  works(
    ask(`postgresql://postgres@127.0.0.1:${port}/probe`, 'INSERT INTO probes DEFAULT VALUES', [], {
      connecting: within,
      waiting: within,
    }),
  );

/** Whether the server of a URL answers. */
export const canConnect = (url) => works(ask(url, 'SELECT 1', [], { connecting: 1000 }));
