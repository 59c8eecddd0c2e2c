/**
 * The peer of measurePeer: node server.mjs DATABASE_URL PORT. better-auth with its organisation plugin and its own
 * handler on node:http, as its documentation sets it up for one server and PostgreSQL; sessions are read from the
 * database at each request, as ours are (no cookie cache), and no limit counts requests.
 */
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { organization } from 'better-auth/plugins';
import pg from 'pg';

const [databaseUrl, port] = process.argv.slice(2);
const options = {
  database: new pg.Pool({ connectionString: databaseUrl, max: 20 }),
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'of the bench, which has nothing to hide',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  experimental: { joins: true },
  plugins: [organization()],
};

await (await getMigrations(options)).runMigrations();
const server = createServer(toNodeHandler(betterAuth(options)));
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
