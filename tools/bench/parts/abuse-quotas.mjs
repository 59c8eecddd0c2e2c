import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { bystanderDuring, caller, inParallel } from './bystander.mjs';
import { withClient } from './database.mjs';
import { highestResidentMegabytes } from './linux-processes.mjs';
import { RESELLERS, seedMillion } from './million-seed.mjs';
import { makeOrganisation, makePerson } from './people.mjs';
import { ADMIN } from './service.mjs';
import { judged } from './table.mjs';

/**
 * Organisations of the database, with twice as many users. `BENCH_ABUSE=20000` for a quicker run of the same.
 */
const ORGANISATIONS = Number(process.env.BENCH_ABUSE ?? 500_000);
/**
 * Milliseconds of an attack, those before its effect is measured, and those between
 * two calls of the bystander.
 */
const ATTACK = 15_000;
const HEAD_START = 2000;
const PACE = 100;
/** Milliseconds between two guesses of one stranger: forty a minute. */
const GUESS_PACE = 1500;
/** Milliseconds, and MB of the process. */
const P95_GOAL = 500;
const MEMORY_GOAL = 450;

/**
 * What users of one organisation, or strangers, do to a user of another: the p95 of its requests, whether all
 * are served, and the statuses that the attacker gets. Each attack meets a process of its own.
 */
export async function measureQuotas(stage) {
  const databaseUrl = await stage.database('bench_quotas');
  const settings = { BCRYPT_COST: '12', TRUSTED_PROXIES: '127.0.0.1' };
  let world;
  const rows = [];
  for (const [what, { attack, bystander }] of Object.entries(ATTACKS)) {
    const service = await stage.service(databaseUrl, settings);
    // The start makes the admin, whose hash the seeded users have.
    world ??= await makeWorld(databaseUrl);
    const place = { url: service.url, call: caller(service.url), ...world };
    const ask = () => bystander(place);
    await ask();
    const during = await bystanderDuring((state) => attack(place, state), ask, {
      milliseconds: ATTACK,
      pace: PACE,
      headStart: HEAD_START,
    });
    rows.push(rowOf(what, during, highestResidentMegabytes(service.pid)));
    await service.stop();
  }
  return rows;
}

function rowOf(what, { p95, calls, failed, statuses, got }, memory) {
  const faults = Object.keys(statuses).filter(
    (status) => status === '0' || (status >= 500 && status !== '503'),
  );
  const figures = {
    'quotas against': what,
    'p95 of others, ms': p95,
    'calls of others': calls,
    'of these failed': failed,
    'attacker got': got,
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

const SEARCH = '/organisations?limit=1&userEmail=ex&userFullname=an&filter=e&orderBy=name';

const search = ({ call, attacker }, state) =>
  inParallel(40, state, async () => state.note(await call('GET', SEARCH, attacker.hash)));

const ATTACKS = {
  '40 organisation searches of one user, for writes': { attack: search, bystander: write },
  'the same, for lists': { attack: search, bystander: read },
  '200 connections of writes of one user': {
    attack: (place, state) =>
      inParallel(200, state, async () => state.note(await write({ ...place, other: place.attacker }))),
    bystander: write,
  },
  '90 strangers of three networks who guess, for writes': { attack: guess, bystander: write },
  'the same, for logins from a known network': {
    attack: guess,
    bystander: ({ url, other }) => postFrom('192.0.2.9', url, passwordOf(other)),
  },
  'csv that three users do not read, for csv': {
    attack: async ({ url, readers }, state) => {
      const opened = [];
      await inParallel(2 * readers.length, state, async (index) => {
        const reader = readers[index % readers.length];
        const response = await unread(`${url}/v1${csvOf(reader)}`, reader.hash);
        state.note(response.statusCode);
        opened.push(response);
        while (response.statusCode === 200 && !state.isOver) await pause(PACE);
      });
      for (const response of opened) response.destroy();
    },
    bystander: ({ call, csvReader }) => call('GET', `${csvOf(csvReader)}&limit=200`, csvReader.hash),
  },
};

function guess({ url }, state) {
  let guesses = 0;
  return inParallel(90, state, async (index) => {
    const address = `10.${20 + (index % 3)}.0.${1 + index}`;
    const username = `nobody${guesses++}@bench.example`;
    state.note(await postFrom(address, url, { username, password: 'Wrong-pass-1' }));
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
    const person = async (organisationId, roles) => {
      const made = await makePerson(client, organisationId, roles);
      await client.query(`INSERT INTO known_networks (user_id, network) VALUES ($1, '192.0.2.0/24')`, [
        made.id,
      ]);
      return made;
    };
    const customer = async () => person(await makeOrganisation(client));
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
