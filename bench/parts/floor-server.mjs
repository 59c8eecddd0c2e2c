/**
 * The floor of measureFloor: node floor-server.mjs DATABASE_URL PORT. Hand-written handlers on Express and pg with the
 * least SQL a good engineer would write for each read: who calls and may, then the record, as prepared statements. No
 * validation, shapes, whitelists, grants, logs, metrics or security headers.
 */
import { createHash, randomBytes } from 'node:crypto';
import bcrypt from 'bcrypt';
import express from 'express';
import pg from 'pg';

const [databaseUrl, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const digest = (hash) => createHash('sha256').update(hash).digest();

const CALLER = `SELECT u.id, u.organisation_id, u.roles, u.username
  FROM logins l JOIN users u ON u.id = l.user_id
  WHERE l.digest = $1 AND l.expires_at > now() AND u.enabled AND u.deleted_at IS NULL`;
const statements = {
  caller: { name: 'caller', text: CALLER },
  callerIn: {
    name: 'callerIn',
    text: `${CALLER} AND (u.organisation_id = $2 OR 'ROLE_ADMIN' = ANY (u.roles) OR EXISTS (
      SELECT 1 FROM organisation_closure WHERE ancestor_id = u.organisation_id AND descendant_id = $2))`,
  },
  contacts: {
    name: 'contacts',
    text: 'SELECT id, type, name, groups FROM contacts WHERE user_id = $1 ORDER BY id LIMIT 5',
  },
  user: {
    name: 'user',
    text: `SELECT id, username, first_name, last_name, language, enabled, roles FROM users
      WHERE id = $1 AND organisation_id = $2 AND deleted_at IS NULL`,
  },
  organisation: {
    name: 'organisation',
    text: `SELECT o.*, coalesce((SELECT json_agg(json_build_object('id', u.id, 'username', u.username, 'roles', u.roles))
        FROM users u WHERE u.organisation_id = o.id AND u.deleted_at IS NULL), '[]') AS users
      FROM organisations o WHERE o.id = $1 AND o.deleted_at IS NULL`,
  },
  organisations: {
    name: 'organisations',
    text: `SELECT id, name, tax_number, street, house_number, zip, city, country_code FROM organisations
      WHERE deleted_at IS NULL ORDER BY id LIMIT 5`,
  },
  password: {
    name: 'password',
    text: 'SELECT id, password_hash FROM users WHERE username = $1 AND enabled AND deleted_at IS NULL',
  },
  login: {
    name: 'login',
    text: `INSERT INTO logins (user_id, digest, expires_at, last_used_at)
      VALUES ($1, $2, now() + interval '30 days', now())`,
  },
};
const rows = async (statement, ...values) => (await pool.query({ ...statement, values })).rows;

const callerOf = async (request) => {
  const hash = digest(request.headers.authorization);
  const { organisationId } = request.params;
  const [caller] =
    organisationId === undefined
      ? await rows(statements.caller, hash)
      : await rows(statements.callerIn, hash, Number(organisationId));
  return caller;
};

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

const read = (path, answer) =>
  app.get(path, async (request, response) => {
    const caller = await callerOf(request);
    if (caller === undefined) return response.status(401).json({});
    return response.json(await answer(request.params, caller));
  });

read('/v1/organisations/:organisationId/users/:userId/contacts', async ({ userId }) => ({
  contacts: await rows(statements.contacts, Number(userId)),
}));
read('/v1/organisations/:organisationId/users/:userId', async ({ organisationId, userId }) => ({
  user: (await rows(statements.user, Number(userId), Number(organisationId)))[0],
}));
read('/v1/organisations/:organisationId', async ({ organisationId }) => ({
  organisation: (await rows(statements.organisation, Number(organisationId)))[0],
}));
read('/v1/organisations', async () => ({ organisations: await rows(statements.organisations) }));
read('/v1/whoami', (_, caller) => ({ user: caller }));

app.post('/v1/login', express.json(), async (request, response) => {
  const [user] = await rows(statements.password, request.body.username);
  if (user === undefined || !(await bcrypt.compare(request.body.password, user.password_hash))) {
    return response.status(401).json({});
  }
  const hash = randomBytes(32).toString('hex');
  await rows(statements.login, user.id, digest(hash));
  return response.json({ hash });
});

app.listen(Number(port), '127.0.0.1', () => console.log('ready'));
