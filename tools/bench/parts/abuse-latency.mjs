import { setTimeout as pause } from 'node:timers/promises';
import { caller, fillKeys } from './bystander.mjs';
import { makeOrganisation, makePerson } from './people.mjs';
import { judged, quantile } from './table.mjs';

/** Milliseconds between two calls of the bystander, and how long it is watched while nothing else happens. */
const PACE = 50;
const QUIET = 4000;
const ATTACK = 5000;
/**
 * The highest p99 of others during an attack: five times the quiet one, or half a second, whichever is more.
 */
const RATIO_GOAL = 5;
const FLOOR_MS = 500;

/** How each attack slows a user of another organisation: p99 of `whoami` against that of a quiet service. */
export async function measureLatency(stage) {
  const databaseUrl = await stage.database('bench_abuse');
  const service = await stage.service(databaseUrl);
  const world = await makeWorld(await stage.client(databaseUrl));
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
}

const times = (count, make) => Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const attacks = (call, { attacker, custadmin, branch, ends, elsewhere }) => ({
  '200 wrong passwords for one name': () =>
    times(200, () =>
      call('POST', '/login', undefined, { username: attacker.username, password: 'Wrong-pass-1' }),
    ),
  '20 lists of 1,000 keys of 16 kB': () => {
    const path = `/organisations/${attacker.organisationId}/users/${attacker.id}/sshkeys?limit=1000`;
    return times(20, () => call('GET', path, attacker.hash));
  },
  '30 moves of 1,000 organisations': () =>
    times(30, (index) =>
      call('PUT', `/organisations/${branch}`, custadmin.hash, {
        name: 'Branch',
        taxNumber: 'T',
        resellerOrganisation: ends[index % 2],
      }),
    ),
  '60 PUTs with a reseller out of reach': () =>
    times(60, () =>
      call('PUT', `/organisations/${custadmin.organisationId}`, custadmin.hash, {
        name: 'Own',
        taxNumber: 'T',
        resellerOrganisation: elsewhere,
      }),
    ),
  'list statements of 40 forms at once': () =>
    times(40, (index) => {
      const order = ORDERS[index % ORDERS.length];
      return call('GET', `/organisations?limit=1&orderBy=${order}&filter=x${index}`, custadmin.hash);
    }),
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

async function repeatFor(ms, work) {
  for (const end = performance.now() + ms; performance.now() < end;) await work();
}

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
  return { p99: quantile(latencies, 0.99), failed };
}

/** The attacker's customer, a reseller with a branch of 1,000 to move, and the bystander's customer. */
async function makeWorld(client) {
  const attacker = await makePerson(client, await makeOrganisation(client));
  const reseller = await makeOrganisation(client);
  const custadmin = await makePerson(client, reseller, ['ROLE_CUSTADMIN']);
  const bystander = await makePerson(client, await makeOrganisation(client));
  let end = reseller;
  for (let depth = 3; depth < 30; depth++) end = await makeOrganisation(client, end);
  const branch = await makeOrganisation(client, reseller);
  await client.query(
    `INSERT INTO organisations (name, tax_number, parent_id) SELECT 'Leaf', 'T', $1 FROM generate_series(1, 1000)`,
    [branch],
  );
  await fillKeys(client, attacker.id);
  const elsewhere = await makeOrganisation(client);
  return { attacker, custadmin, bystander, branch, ends: [end, reseller], elsewhere };
}
