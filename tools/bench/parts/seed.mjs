import { withClient } from './database.mjs';

/** Customers have the ids from here on. */
export const FIRST_CUSTOMER = 1000;

/**
 * Fills a migrated database: `count` customers of one reseller, each with a user. Written in bulk with the
 * tree's triggers off and its closure written by hand, the way they would have left it.
 */
export const seed = (databaseUrl, count) => withClient(databaseUrl, (client) => fillDatabase(client, count));

async function fillDatabase(client, count) {
  const first = FIRST_CUSTOMER;
  const last = first + count - 1;
  await client.query('BEGIN');
  await client.query('ALTER TABLE organisations DISABLE TRIGGER USER');
  await client.query(`
    INSERT INTO organisations (id, name, tax_number, parent_id, organisation_type, is_reseller, customer_id)
    VALUES (2, 'The reseller', 'NL2', 1, 2, true, 2)`);
  await client.query(
    `INSERT INTO organisations
       (id, name, tax_number, parent_id, reseller_id, street, house_number, zip, city, country_code, customer_id)
     SELECT n, 'Customer ' || md5(n::text), 'NL' || n, 1, 2, 'Dorpsstraat', (n % 200)::text, '1234 AB', 'Utrecht', 'NL', n
     FROM generate_series($1::integer, $2::integer) n`,
    [first, last],
  );
  await client.query(
    `INSERT INTO organisation_closure (ancestor_id, descendant_id)
     SELECT 1, id FROM organisations WHERE id > 1
     UNION ALL SELECT 2, id FROM organisations WHERE id >= $1`,
    [first],
  );
  await client.query('UPDATE organisations SET beneath_count = $1 WHERE id = 2', [count]);
  await client.query('UPDATE organisations SET beneath_count = $1 WHERE id = 1', [count + 1]);
  await client.query('ALTER TABLE organisations ENABLE TRIGGER USER');
  const { rows } = await client.query('SELECT password_hash FROM users ORDER BY id LIMIT 1');
  await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
     SELECT 2, 'reseller@bench.example', 'Rita', 'Reseller', ARRAY['ROLE_CUSTADMIN'], $1
     UNION ALL
     SELECT n, 'user' || n || '@bench.example', 'Jan', 'de Vries', ARRAY[]::text[], $1
     FROM generate_series($2::integer, $3::integer) n`,
    [rows[0].password_hash, first, last],
  );
  await client.query(`SELECT setval(pg_get_serial_sequence('organisations', 'id'), $1)`, [last]);
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  const someone = await client.query(
    'SELECT id, organisation_id, username FROM users ORDER BY id DESC LIMIT 1',
  );
  return {
    user: someone.rows[0],
    /** The names of all, with the administrator's password. */
    users: Array.from({ length: count }, (_, n) => `user${first + n}@bench.example`),
  };
}
