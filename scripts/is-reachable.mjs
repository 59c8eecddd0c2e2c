// Ends with status 0 when a PostgreSQL answers at the URL given.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 });
try {
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
} catch {
  process.exitCode = 1;
}
