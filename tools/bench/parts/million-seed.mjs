import { withClient } from './database.mjs';

/**
 * The first organisation of the chains and customers; those below are the operator, three resellers and room.
 */
const FIRST = 1000;
/** Organisations of a chain beneath the operator, which is the eighth. */
const CHAIN = 7;
export const RESELLERS = [2, 3, 4];

/**
 * Fills a migrated database with `count` organisations and twice as many users: three resellers with a tenth
 * of them each, the others in chains of depth 8. In bulk, with the tree's triggers off and its closure
 * written by hand, the way they would have left it.
 */
export const seedMillion = (databaseUrl, count) =>
  withClient(databaseUrl, (client) => fillDatabase(client, count));

async function fillDatabase(client, count) {
  const tenth = Math.floor(count / 10);
  const last = FIRST + count - 1;
  // The first three tenths belong to the resellers; `n` counts from 0.
  const reseller = `CASE WHEN n < ${3 * tenth} THEN 2 + n / ${tenth} END`;
  const parent = `CASE WHEN n > ${3 * tenth} AND n % ${CHAIN} <> 0 THEN ${FIRST} + n - 1 ELSE 1 END`;
  const beneath = `CASE WHEN n < ${3 * tenth} THEN 0 ELSE least(${CHAIN - 1} - n % ${CHAIN}, ${count - 1} - n) END`;
  const customer = `${FIRST} + CASE WHEN n < ${3 * tenth} THEN n ELSE greatest(n - n % ${CHAIN}, ${3 * tenth}) END`;
  await client.query('BEGIN; SET LOCAL work_mem = $$256MB$$; ALTER TABLE organisations DISABLE TRIGGER USER');
  await client.query(`
    INSERT INTO organisations (id, name, tax_number, parent_id, organisation_type, beneath_count, is_reseller, customer_id)
    SELECT id, 'Reseller ' || id, 'NLR' || id, 1, 2, ${tenth}, true, id FROM unnest(ARRAY[${RESELLERS.join()}]) id`);
  await client.query(`
    INSERT INTO organisations
      (id, name, tax_number, parent_id, reseller_id, street, house_number, zip, city, country_code, external_id, beneath_count,
       customer_id)
    SELECT ${FIRST} + n, 'Customer ' || md5(n::text), 'NL' || n, ${parent}, ${reseller}, 'Dorpsstraat',
      (n % 200)::text, '1234 AB', 'Utrecht', 'NL', 'EXT' || n, ${beneath}, ${customer}
    FROM generate_series(0, ${count - 1}) n`);
  await client.query(`
    INSERT INTO organisation_closure (ancestor_id, descendant_id)
    SELECT 1, id FROM organisations WHERE id > 1
    UNION ALL SELECT reseller_id, id FROM organisations WHERE reseller_id IS NOT NULL
    UNION ALL SELECT ${FIRST} + n - step, ${FIRST} + n
      FROM generate_series(${3 * tenth}, ${count - 1}) n, generate_series(1, ${CHAIN - 1}) step
      WHERE step <= n % ${CHAIN} AND n - step >= ${3 * tenth}`);
  await client.query(`UPDATE organisations SET beneath_count = ${count + RESELLERS.length} WHERE id = 1`);
  await client.query('ALTER TABLE organisations ENABLE TRIGGER USER');
  const { rows } = await client.query('SELECT password_hash FROM users ORDER BY id LIMIT 1');
  await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
     SELECT id, 'reseller' || id || '@bench.example', 'Rita', 'Reseller', ARRAY['ROLE_CUSTADMIN'], $1
     FROM unnest(ARRAY[${RESELLERS.join()}]) id`,
    [rows[0].password_hash],
  );
  await client.query('ALTER TABLE users DISABLE TRIGGER USER');
  await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
     SELECT ${FIRST} + n / 2, 'user' || n || '@bench.example', 'Jan', 'de Vries ' || md5(n::text),
       CASE WHEN n % 2 = 0 THEN ARRAY['ROLE_CUSTADMIN'] ELSE ARRAY[]::text[] END, $1
     FROM generate_series(0, ${2 * count - 1}) n`,
    [rows[0].password_hash],
  );
  await client.query('ALTER TABLE users ENABLE TRIGGER USER');
  await client.query(`SELECT setval(pg_get_serial_sequence('organisations', 'id'), ${last})`);
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  const middle = FIRST + Math.floor(count / 2);
  const named = await client.query(
    `SELECT o.name, u.id AS user_id FROM organisations o JOIN users u ON u.organisation_id = o.id
     WHERE o.id = $1 ORDER BY u.id LIMIT 1`,
    [middle],
  );
  return {
    count,
    organisation: middle,
    user: named.rows[0].user_id,
    /** A part of a name that one organisation has. */
    rareText: named.rows[0].name.slice('Customer '.length, 'Customer '.length + 10),
    /** The first of a chain, with six beneath it, and one to move it to. */
    chain: FIRST + Math.ceil((3 * tenth) / CHAIN) * CHAIN,
  };
}
