import pg from 'pg';
import { parentOf } from './linux-processes.mjs';

/** Lends a connection to the database. */
export async function withClient(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates an empty database beside the one of the URL and gives its URL. */
export async function createDatabase(serverUrl, name) {
  await withClient(serverUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The process that started all those of the server. */
export const postgresPidOf = (databaseUrl) =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return parentOf(rows[0].pid);
  });

/** Tables that take over a megabyte with what belongs to them, as rows of a table: the largest first. */
export const tablesOnDisk = (databaseUrl) =>
  withClient(databaseUrl, async (client) => {
    await client.query('ANALYZE');
    const { rows } = await client.query(
      `SELECT relname AS table, reltuples::bigint::text AS rows, pg_table_size(oid) AS bytes, pg_indexes_size(oid) AS "indexBytes"
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND pg_total_relation_size(oid) > 1048576
       ORDER BY pg_total_relation_size(oid) DESC`,
    );
    return rows.map(({ table, rows, bytes, indexBytes }) => ({
      table,
      rows: Number(rows),
      MB: Number(bytes) / 1e6,
      'MB of indexes': Number(indexBytes) / 1e6,
      'bytes a row': Math.round((Number(bytes) + Number(indexBytes)) / Number(rows)),
    }));
  });

/** Fails unless the closure of the tree and its counts are what the links between organisations say. */
export async function assertTreeWhole(databaseUrl) {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query(`
    WITH RECURSIVE above (id, ancestor) AS (
      SELECT o.id, link FROM organisations o, LATERAL (VALUES (o.parent_id), (o.reseller_id)) l (link)
      WHERE link IS NOT NULL
      UNION
      SELECT above.id, link FROM above JOIN organisations o ON o.id = above.ancestor,
        LATERAL (VALUES (o.parent_id), (o.reseller_id)) l (link) WHERE link IS NOT NULL
    ), counts AS (
      SELECT ancestor AS id, count(*) AS beneath FROM above GROUP BY ancestor
    )
    SELECT (SELECT count(*) FROM (
        (SELECT id, ancestor FROM above EXCEPT SELECT descendant_id, ancestor_id FROM organisation_closure)
        UNION ALL
        (SELECT descendant_id, ancestor_id FROM organisation_closure EXCEPT SELECT id, ancestor FROM above)) wrong)
      + (SELECT count(*) FROM organisations o LEFT JOIN counts USING (id)
         WHERE o.beneath_count <> coalesce(counts.beneath, 0)) AS wrong`),
  );
  if (Number(rows[0].wrong) > 0) throw new Error(`the tree is wrong in ${rows[0].wrong} places`);
}
