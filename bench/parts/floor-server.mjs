/** The floor of measureFloor: node floor-server.mjs DATABASE_URL PORT */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express from 'express';
import pg from 'pg';

const [databaseUrl, port] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const built = (path) => require(join(import.meta.dirname, '../../dist', path));
const { accessStatement } = built('libs/access/access.queries.js');
const { USER_BY_ID } = built('libs/users/user.queries.js');
const { organisationPage } = built('libs/organisations/organisation.queries.js');

const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const IDLE_TTL = 7 * 86_400;
const digest = (hash) => createHash('sha256').update(hash).digest();
const ofUser = accessStatement({ organisation: true, user: true, records: [] });
const ofCaller = accessStatement({ organisation: false, user: false, records: [] });

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/v1/organisations/:organisationId/users/:userId', async (request, response) => {
  const { organisationId, userId } = request.params;
  const caller = await pool.query({
    ...ofUser,
    values: [digest(request.headers.authorization), IDLE_TTL, Number(organisationId), Number(userId)],
  });
  if (caller.rows.length === 0) return response.status(401).json({});
  const user = await pool.query({ ...USER_BY_ID, values: [Number(userId)] });
  return response.json({ user: user.rows[0] });
});

app.get('/v1/organisations', async (request, response) => {
  const caller = await pool.query({ ...ofCaller, values: [digest(request.headers.authorization), IDLE_TTL] });
  if (caller.rows.length === 0) return response.status(401).json({});
  const { statement, values } = organisationPage(
    { kind: 'all' },
    { limit: 5, offset: 0, orderBy: 'id', descending: false, filter: request.query.filter, search: {} },
    { withUsers: true },
  );
  const page = await pool.query({ ...statement, values });
  return response.json({ total: page.rows[0].listTotal, organisations: page.rows });
});

app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
