import { createHash, randomBytes } from 'node:crypto';
import { withClient } from './database.mjs';
import { seed } from './seed.mjs';

/** `seed` gives them these ids. */
const FIRST_CUSTOMER = 1000;
const CUSTOMERS = 1000;
/** Of each user. */
export const CONTACTS = 6;
/** Of the service that introspects. */
export const KEY = 'a'.repeat(64);

/** A user of each customer, logged in, with contacts; and the key of the service that introspects. */
export async function makePeople(databaseUrl) {
  await seed(databaseUrl, CUSTOMERS);
  return withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO service_keys (organisation_id, name, digest, operations, as_admin, expires_at)
       VALUES (1, 'bench', sha256($1::text::bytea), '{access.*}', true, now() + interval '1 day')`,
      [KEY],
    );
    const { rows } = await client.query(
      'SELECT id, organisation_id AS "organisationId", username FROM users WHERE organisation_id >= $1 ORDER BY id',
      [FIRST_CUSTOMER],
    );
    const people = rows.map((row) => ({ ...row, hash: randomBytes(32).toString('hex') }));
    const digests = people.map(({ hash }) => createHash('sha256').update(hash).digest());
    await client.query(
      `INSERT INTO logins (user_id, digest, expires_at, address)
       SELECT id, digest, now() + interval '1 day', '127.0.0.1' FROM unnest($1::integer[], $2::bytea[]) l (id, digest)`,
      [people.map(({ id }) => id), digests],
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
