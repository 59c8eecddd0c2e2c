import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { createMigratedDatabase } from './database.mjs';
import { startService } from './service.mjs';
import { judged } from './table.mjs';

/** Milliseconds between two calls of the bystander, and how long it is watched while nothing else happens. */
const PACE = 50;
const QUIET = 4000;
const ATTACK = 5000;
/** The highest p99 of others during an attack: five times the quiet one, or half a second, whichever is more. */
const RATIO_GOAL = 5;
const FLOOR_MS = 500;

/** How each attack slows a user of another organisation: p99 of `whoami` against that of a quiet service. */
export async function measureAbuse(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_abuse');
  const service = await startService(databaseUrl, 3951);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const world = await makeWorld(client);
    const call = caller(service.url);
    await watch(call, world.bystander, () => pause(QUIET / 2));
    const quiet = await watch(call, world.bystander, () => pause(QUIET));
    const rows = [];
    for (const [what, attack] of Object.entries(attacks(call, world))) {
      const during = await watch(call, world.bystander, () => repeatFor(ATTACK, attack));
      const ratio = during.p99 / quiet.p99;
      const figures = {
        attack: what,
        'p99 of others, ms': during.p99,
        'quiet p99, ms': quiet.p99,
        'not 200': during.failed,
        ratio,
      };
      rows.push(
        judged(figures, {
          goal: `<= ${RATIO_GOAL} or under ${FLOOR_MS} ms, all 200`,
          isMet: during.failed === 0 && (ratio <= RATIO_GOAL || during.p99 < FLOOR_MS),
        }),
      );
    }
    return rows;
  } finally {
    await client.end();
    await service.stop();
  }
}

const attacks = (call, { attacker, custadmin, branch, ends, elsewhere }) => ({
  '200 wrong passwords for one name': () =>
    Promise.all(
      times(200, () =>
        call('POST', '/login', undefined, { username: attacker.username, password: 'Wrong-pass-1' }),
      ),
    ),
  '20 lists of 1,000 keys of 16 kB': () =>
    Promise.all(
      times(20, () =>
        call(
          'GET',
          `/organisations/${attacker.organisationId}/users/${attacker.id}/sshkeys?limit=1000`,
          attacker.hash,
        ),
      ),
    ),
  '30 moves of 1,000 organisations': () =>
    Promise.all(
      times(30, (index) =>
        call('PUT', `/organisations/${branch}`, custadmin.hash, {
          ...{ name: 'Branch', taxNumber: 'T' },
          resellerOrganisation: ends[index % 2],
        }),
      ),
    ),
  '60 PUTs with a reseller out of reach': () =>
    Promise.all(
      times(60, () =>
        call('PUT', `/organisations/${custadmin.organisationId}`, custadmin.hash, {
          ...{ name: 'Own', taxNumber: 'T' },
          resellerOrganisation: elsewhere,
        }),
      ),
    ),
  'list statements of 40 forms at once': () =>
    Promise.all(
      times(40, (index) =>
        call(
          'GET',
          `/organisations?limit=1&orderBy=${ORDERS[index % ORDERS.length]}&filter=x${index}`,
          custadmin.hash,
        ),
      ),
    ),
});

const ORDERS = [
  'name',
  'taxNumber',
  'street',
  'houseNumber',
  'zip',
  'city',
  'mustPayTax',
  'updateEntitiesOnly',
];

export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function repeatFor(ms, work) {
  for (const end = performance.now() + ms; performance.now() < end;) await work();
}

/** Sends a request and reads its whole response; gives the status, 0 where none came. */
export const caller = (url) => async (method, path, hash, body) => {
  try {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        ...(hash !== undefined && { Authorization: hash }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};

/** Lets the bystander ask at an even pace while something goes on. */
async function watch(call, { hash }, action) {
  const latencies = [];
  let failed = 0;
  const calls = [];
  const timer = setInterval(() => {
    const start = performance.now();
    calls.push(
      call('GET', '/whoami', hash).then((status) => {
        latencies.push(performance.now() - start);
        if (status !== 200) failed++;
      }),
    );
  }, PACE);
  await action();
  clearInterval(timer);
  await Promise.all(calls);
  latencies.sort((one, other) => one - other);
  return { p99: latencies[Math.floor(latencies.length * 0.99)], failed };
}

/** The attacker's customer, a reseller with a branch of 1,000 to move, and the bystander's customer. */
async function makeWorld(client) {
  const one = async (text, values) => (await client.query(text, values)).rows[0].id;
  const organisation = (parent) =>
    one(`INSERT INTO organisations (name, tax_number, parent_id) VALUES ('X', 'T', $1) RETURNING id`, [
      parent,
    ]);
  const person = async (organisationId, roles = []) => {
    const username = `user${organisationId}@bench.example`;
    const id = await one(
      `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
       VALUES ($1, $2, 'A', 'B', $3, '$2b$10$q8Zl3CwTzVbVn0WvKqkGyuPYwWbhGnJNVyN5Qm1nZVx0eUuJcQy7K') RETURNING id`,
      [organisationId, username, roles],
    );
    const hash = randomBytes(32).toString('hex');
    await client.query(
      `INSERT INTO logins (user_id, digest, expires_at, address) VALUES ($1, $2, now() + interval '1 day', '127.0.0.1')`,
      [id, createHash('sha256').update(hash).digest()],
    );
    return { id, organisationId, username, hash };
  };
  const attacker = await person(await organisation(1));
  const reseller = await organisation(1);
  const custadmin = await person(reseller, ['ROLE_CUSTADMIN']);
  const bystander = await person(await organisation(1));
  let end = reseller;
  for (let depth = 3; depth < 30; depth++) end = await organisation(end);
  const branch = await organisation(reseller);
  await client.query(
    `INSERT INTO organisations (name, tax_number, parent_id) SELECT 'Leaf', 'T', $1 FROM generate_series(1, 1000)`,
    [branch],
  );
  await fillKeys(client, attacker.id);
  return { attacker, custadmin, bystander, branch, ends: [end, reseller], elsewhere: await organisation(1) };
}

/** 1,000 keys with long comments, as an older build let a user have them. */
export async function fillKeys(client, userId) {
  const { publicKey } = generateKeyPairSync('ed25519');
  const bits = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const header = Buffer.from('0000000b7373682d6564323535313900000020', 'hex');
  await client.query('ALTER TABLE ssh_keys DISABLE TRIGGER USER');
  await client.query(
    `INSERT INTO ssh_keys (user_id, description, type, blob, bits, comment, fingerprint, key_digest)
     SELECT $1, 'Key ' || n, 'ssh-ed25519', $2::bytea || decode(lpad(to_hex(n), 8, '0'), 'hex'), 256,
       repeat('é', 8000), 'aa', sha256(n::text::bytea) FROM generate_series(1, 1000) n`,
    [userId, Buffer.concat([header, bits.subarray(0, 28)])],
  );
  await client.query('ALTER TABLE ssh_keys ENABLE TRIGGER USER');
}
