import { createHash, randomBytes } from 'node:crypto';
import { withClient } from './database.mjs';
import { FIRST_CUSTOMER, seed } from './seed.mjs';
import { ADMIN } from './service.mjs';

const CUSTOMERS = 1000;
/** Of each user. */
export const CONTACTS = 6;
/** Of the service that asks. */
export const KEY = 'a'.repeat(64);

const digestOf = (hash) => createHash('sha256').update(hash).digest();

/** A customer beneath the operator: its id. */
export async function makeOrganisation(client) {
  const { rows } = await client.query(
    `INSERT INTO organisations (name, tax_number, parent_id) VALUES ('X', 'T', 1) RETURNING id`,
  );
  return rows[0].id;
}

/** A user who is logged in and has the admin's password. */
export async function makePerson(client, organisationId, roles = []) {
  const username = `user${word()}@bench.example`;
  const { rows } = await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
     SELECT $1, $2, 'A', 'B', $3, password_hash FROM users ORDER BY id LIMIT 1 RETURNING id`,
    [organisationId, username, roles],
  );
  const [{ id }] = rows;
  const hash = randomBytes(32).toString('hex');
  await client.query(
    `INSERT INTO logins (user_id, digest, expires_at, address) VALUES ($1, $2, now() + interval '1 day', '127.0.0.1')`,
    [id, digestOf(hash)],
  );
  return { id, organisationId, username, hash };
}

/** The key of a service that may ask about everybody. */
const makeServiceKey = (databaseUrl) =>
  withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO service_keys (organisation_id, name, digest, operations, as_admin, expires_at)
       VALUES (1, 'bench', $1, '{access.*}', true, now() + interval '1 day')`,
      [digestOf(KEY)],
    ),
  );

/** A user of each customer, logged in, with contacts; and the key of the service that introspects. */
export async function makePeople(databaseUrl) {
  await seed(databaseUrl, CUSTOMERS);
  await makeServiceKey(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT id, organisation_id AS "organisationId", username FROM users WHERE organisation_id >= $1 ORDER BY id',
      [FIRST_CUSTOMER],
    );
    const people = rows.map((row) => ({ ...row, hash: randomBytes(32).toString('hex') }));
    await client.query(
      `INSERT INTO logins (user_id, digest, expires_at, address)
       SELECT id, digest, now() + interval '1 day', '127.0.0.1' FROM unnest($1::integer[], $2::bytea[]) l (id, digest)`,
      [people.map(({ id }) => id), people.map(({ hash }) => digestOf(hash))],
    );
    await client.query(
      `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key)
       SELECT organisation_id, id, 'email', n || username, n || username
       FROM users, generate_series(1, $1::integer) n WHERE organisation_id >= $2`,
      [CONTACTS, FIRST_CUSTOMER],
    );
    await client.query('VACUUM ANALYZE');
    return people;
  });
}

/** Headers of a request with a JSON body, of whom the hash is. */
export const json = (hash) => ({ 'content-type': 'application/json', ...(hash && { authorization: hash }) });

const word = () => randomBytes(6).toString('hex');

/** Requests of a person. A body may be a function, for another one each time. */
export const loginOf = ({ username }) => ({
  method: 'POST',
  path: '/v1/login',
  headers: json(),
  body: JSON.stringify({ username, password: ADMIN.password }),
});
export const changeOfUser = ({ id, organisationId, username, hash }) => ({
  method: 'PATCH',
  path: `/v1/organisations/${organisationId}/users/${id}`,
  headers: json(hash),
  body: () => JSON.stringify({ username, firstName: word(), lastName: 'de Vries' }),
});
