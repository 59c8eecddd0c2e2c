import { createHash, randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { caller, pause, times } from './abuse.mjs';
import { createMigratedDatabase, withClient } from './database.mjs';
import { highestResidentMegabytes } from './linux-processes.mjs';
import { RESELLERS, seedMillion } from './million-seed.mjs';
import { ADMIN, startService } from './service.mjs';
import { judged } from './table.mjs';

/** Organisations of the database, with twice as many users. `BENCH_ABUSE=20000` for a quicker run of the same. */
const ORGANISATIONS = Number(process.env.BENCH_ABUSE ?? 500_000);
/** Milliseconds of an attack, those before its effect is measured, and those between two calls of the bystander. */
const ATTACK = 15_000;
const HEAD_START = 2000;
const PACE = 100;
/** Milliseconds between two guesses of one stranger: forty a minute. */
const GUESS_PACE = 1500;
/** Milliseconds, and MB of the process. */
const P95_GOAL = 500;
const MEMORY_GOAL = 450;

/**
 * What users of one organisation, or strangers, do to a user of another: the p95 of its requests, whether all are served, and the
 * statuses that the attacker gets. Each attack meets a process of its own.
 */
export async function measureQuotas(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_quotas');
  let world;
  const rows = [];
  for (const [what, { attack, bystander }] of Object.entries(ATTACKS)) {
    const service = await startService(databaseUrl, 3952, {
      BCRYPT_COST: '12',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      // The start makes the admin, whose hash the seeded users have.
      world ??= await makeWorld(databaseUrl);
      const place = { url: service.url, call: caller(service.url), ...world };
      await bystander(place);
      rows.push(await measureAttack(what, service.pid, place, { attack, bystander }));
    } finally {
      await service.stop();
    }
  }
  return rows;
}

async function measureAttack(what, pid, place, { attack, bystander }) {
  const state = { isOver: false };
  const statuses = {};
  const note = (status) => (statuses[status] = (statuses[status] ?? 0) + 1);
  const attacking = attack(place, state, note);
  await pause(HEAD_START);
  const latencies = [];
  let failed = 0;
  for (const end = performance.now() + ATTACK; performance.now() < end; await pause(PACE)) {
    const start = performance.now();
    if (![200, 204].includes(await bystander(place))) failed++;
    latencies.push(performance.now() - start);
  }
  state.isOver = true;
  await attacking;
  latencies.sort((one, other) => one - other);
  const p95 = latencies[Math.floor(latencies.length * 0.95)];
  const memory = highestResidentMegabytes(pid);
  const faults = Object.keys(statuses).filter(
    (status) => status === '0' || (status >= 500 && status !== '503'),
  );
  const statusText = Object.entries(statuses)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ');
  const figures = {
    'quotas against': what,
    'p95 of others, ms': p95,
    'calls of others': latencies.length,
    'of these failed': failed,
    'attacker got': statusText,
    'memory, MB': memory,
  };
  return judged(figures, {
    goal: `p95 <= ${P95_GOAL} ms, none failed, no 5xx but 503, <= ${MEMORY_GOAL} MB`,
    isMet: p95 <= P95_GOAL && failed === 0 && faults.length === 0 && memory <= MEMORY_GOAL,
  });
}

const preferencesOf = ({ id, organisationId }) => `/organisations/${organisationId}/users/${id}/preferences`;
const write = ({ call, other }) => call('PATCH', preferencesOf(other), other.hash, { darkTheme: true });
const read = ({ call, other }) => call('GET', `/organisations?limit=20&filter=a`, other.hash);
const passwordOf = ({ username }) => ({ username, password: ADMIN.password });

/** Repeats a call in `count` connections until the attack is over. */
const inParallel = (count, state, repeated) =>
  Promise.all(
    times(count, async (index) => {
      while (!state.isOver) await repeated(index);
    }),
  );

const SEARCH = '/organisations?limit=1&userEmail=ex&userFullname=an&filter=e&orderBy=name';

const ATTACKS = {
  '40 organisation searches of one user, for writes': {
    attack: ({ call, attacker }, state, note) =>
      inParallel(40, state, async () => note(await call('GET', SEARCH, attacker.hash))),
    bystander: write,
  },
  'the same, for lists': {
    attack: ({ call, attacker }, state, note) =>
      inParallel(40, state, async () => note(await call('GET', SEARCH, attacker.hash))),
    bystander: read,
  },
  '200 connections of writes of one user': {
    attack: ({ call, attacker }, state, note) =>
      inParallel(200, state, async () =>
        note(await call('PATCH', preferencesOf(attacker), attacker.hash, { darkTheme: true })),
      ),
    bystander: write,
  },
  '90 strangers of three networks who guess, for writes': {
    attack: guess,
    bystander: write,
  },
  'the same, for logins from a known network': {
    attack: guess,
    bystander: ({ url, other }) => postFrom('192.0.2.9', url, passwordOf(other)),
  },
  'csv that three users do not read, for csv': {
    attack: async ({ url, readers }, state, note) => {
      const opened = [];
      await Promise.all(
        readers.flatMap((reader) =>
          times(2, async () => {
            while (!state.isOver) {
              const response = await unread(`${url}/v1${csvOf(reader)}`, reader.hash);
              note(response.statusCode);
              opened.push(response);
              if (response.statusCode !== 200) continue;
              while (!state.isOver) await pause(PACE);
            }
          }),
        ),
      );
      for (const response of opened) response.destroy();
    },
    bystander: ({ call, csvReader }) => call('GET', `${csvOf(csvReader)}&limit=200`, csvReader.hash),
  },
};

function guess({ url }, state, note) {
  let guesses = 0;
  return inParallel(90, state, async (index) => {
    const address = `10.${20 + (index % 3)}.0.${1 + index}`;
    const username = `nobody${guesses++}@bench.example`;
    note(await postFrom(address, url, { username, password: 'Wrong-pass-1' }));
    await pause(GUESS_PACE);
  });
}

async function postFrom(address, url, credentials) {
  const response = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(credentials),
  });
  await response.arrayBuffer();
  return response.status;
}

const csvOf = ({ organisationId }) => `/organisations/${organisationId}/organisations?format=csv`;

/** A response whose body is left on its connection. */
const unread = (url, hash) =>
  new Promise((resolve) => {
    get(url, { headers: { Authorization: hash }, agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    }).on('error', () => resolve({ statusCode: 0, destroy: () => undefined }));
  });

/** Two customers, and two resellers with long lists: an attacker and a bystander of each kind. */
async function makeWorld(databaseUrl) {
  await seedMillion(databaseUrl, ORGANISATIONS);
  return withClient(databaseUrl, async (client) => {
    const person = async (organisationId, roles = []) => {
      const username = `abuse${randomBytes(6).toString('hex')}@bench.example`;
      const { rows } = await client.query(
        `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
         SELECT $1, $2, 'A', 'B', $3, password_hash FROM users ORDER BY id LIMIT 1 RETURNING id`,
        [organisationId, username, roles],
      );
      const hash = randomBytes(32).toString('hex');
      await client.query(
        `INSERT INTO logins (user_id, digest, expires_at, address) VALUES ($1, $2, now() + interval '1 day', '127.0.0.1')`,
        [rows[0].id, createHash('sha256').update(hash).digest()],
      );
      await client.query(`INSERT INTO known_networks (user_id, network) VALUES ($1, '192.0.2.0/24')`, [
        rows[0].id,
      ]);
      return { id: rows[0].id, organisationId, username, hash };
    };
    const customer = async () => {
      const { rows } = await client.query(
        `INSERT INTO organisations (name, tax_number, parent_id) VALUES ('Customer', 'T', 1) RETURNING id`,
      );
      return person(rows[0].id);
    };
    const reseller = (id) => person(id, ['ROLE_CUSTADMIN']);
    const [one, two] = RESELLERS;
    return {
      attacker: await customer(),
      other: await customer(),
      readers: [await reseller(one), await reseller(one), await reseller(one)],
      csvReader: await reseller(two),
    };
  });
}
