import { setTimeout as pause } from 'node:timers/promises';
import { processorTimeOf } from './linux-processes.mjs';
import { makeOrganisation, makePerson } from './people.mjs';
import { startReceivers, webhookMaker } from './receivers.mjs';
import { FIRST_CUSTOMER, seed } from './seed.mjs';
import { logIn } from './service.mjs';
import { atLeast, atMost, median } from './table.mjs';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const SETTINGS = { SECRETS_KEY, WEBHOOK_NETWORKS: '127.0.0.0/8' };

/** Latency of a write with three webhooks, in that of one without. */
const WRITE_GOAL = 1.1;
const WRITES_A_ROUND = 100;
const WRITE_ROUNDS = 9;
/** Milliseconds from one write to the next. */
const WRITE_PACE = 20;

/** Deliveries a second. */
const RATE_GOAL = 1000;
const ORGANISATIONS = 25;
const WEBHOOKS_EACH = 4;
const HANGING = 10;
const EVENTS_EACH = 60;

/** Customers with an organisation each, receivers in this process, and what makes webhooks to them by SQL. */
async function setUp(stage, name, customers, hangs) {
  const databaseUrl = await stage.database(name);
  const receivers = await startReceivers(stage, hangs);
  const start = (settings) => stage.service(databaseUrl, { ...SETTINGS, ...settings });
  const service = await start();
  await seed(databaseUrl, customers);
  const client = await stage.client(databaseUrl);
  const webhook = webhookMaker(stage, SECRETS_KEY);
  const listen = (organisation, path) => webhook(client, organisation, `${receivers.url}${path}`);
  return { service, start, client, receivers, listen };
}

/** Each customer with as many webhooks. */
async function listenAll(listen, customers) {
  for (let index = 0; index < customers * WEBHOOKS_EACH; index++)
    await listen(FIRST_CUSTOMER + Math.floor(index / WEBHOOKS_EACH), `/${index}`);
}

/**
 * Changes of users in two organisations, in turns, one of which has three webhooks. Another
 * process delivers meanwhile.
 */
export async function measureWrites(stage) {
  const { start, client, receivers, listen } = await setUp(stage, 'bench_webhook_writes', 10);
  const service = await start({ WORKER: 'off' });
  const told = FIRST_CUSTOMER;
  const untold = FIRST_CUSTOMER + 1;
  for (let made = 0; made < 3; made++) await listen(told, `/${made}`);
  const hash = await logIn(service.url);
  const times = { told: [], untold: [] };
  const processor = { told: [], untold: [] };
  for (let round = -1; round < WRITE_ROUNDS; round++) {
    for (const [name, organisation] of Object.entries({ told, untold })) {
      await settle(client);
      const before = processorTimeOf(service.pid);
      const latencies = await writes(client, service.url, hash, organisation);
      if (round < 0) continue;
      times[name].push(median(latencies));
      processor[name].push((processorTimeOf(service.pid) - before) / WRITES_A_ROUND);
    }
  }
  const ratio = median(times.told) / median(times.untold);
  const row = {
    writes: 'PATCH of a user',
    'p50 ms': { told: median(times.told), untold: median(times.untold) },
    'Node µs': { told: median(processor.told), untold: median(processor.untold) },
    deliveries: sum([...receivers.arrivals.values()].map(({ length }) => length)),
    ratio,
  };
  return [atMost(row, ratio, WRITE_GOAL, { unit: ' times the latency' })];
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** Waits until everything is told and sent. */
async function settle(client, { within = 60_000 } = {}) {
  for (const end = performance.now() + within; performance.now() < end; await pause(100)) {
    const { rows } = await client.query(
      `SELECT NOT EXISTS (SELECT FROM webhook_deliveries WHERE next_try_at <= now())
         AND (SELECT event_id FROM webhook_position) >= (SELECT max(id) FROM audit_log) AS done`,
    );
    if (rows[0].done) return;
  }
  throw new Error('The deliveries do not end');
}

/** The latencies of writes at an even pace. */
async function writes(client, url, hash, organisation) {
  const { rows } = await client.query('SELECT id, username FROM users WHERE organisation_id = $1 LIMIT 1', [
    organisation,
  ]);
  const [{ id, username }] = rows;
  const latencies = [];
  for (let number = 0; number < WRITES_A_ROUND; number++) {
    const began = performance.now();
    const response = await fetch(`${url}/v1/organisations/${organisation}/users/${id}`, {
      method: 'PATCH',
      headers: { authorization: hash, 'content-type': 'application/json' },
      body: JSON.stringify({ username, firstName: `Name ${Math.random()}`, lastName: 'Last' }),
    });
    await response.arrayBuffer();
    if (response.status !== 204) throw new Error(`PATCH of a user: ${response.status}`);
    latencies.push(performance.now() - began);
    await pause(WRITE_PACE);
  }
  return latencies;
}

/**
 * How fast one process sends, to receivers of which some hang: as they are all new, and once it knows them.
 */
export async function measureRates(stage) {
  const isHanging = (path) => Number(path.slice(1)) % ((ORGANISATIONS * WEBHOOKS_EACH) / HANGING) === 0;
  const place = await setUp(stage, 'bench_deliveries', ORGANISATIONS, isHanging);
  const { service, client, receivers, listen } = place;
  await listenAll(listen, ORGANISATIONS);
  const processorTime = () => processorTimeOf(service.pid) + processorTimeOf(stage.postgres.pid);
  const rows = [];
  for (const state of ['all receivers are new', 'known']) {
    const before = processorTime();
    const { count, milliseconds } = await deliver(client, receivers, isHanging);
    const rate = (count / milliseconds) * 1000;
    const row = {
      deliveries: `${ORGANISATIONS * WEBHOOKS_EACH} receivers, ${HANGING} hang; ${state}`,
      count,
      seconds: milliseconds / 1000,
      'a second': rate,
      'Node and PostgreSQL µs each': (processorTime() - before) / count,
    };
    rows.push(atLeast(row, rate, RATE_GOAL, { unit: ' a second' }));
  }
  return rows;
}

/** Makes events in all organisations at once, and waits until the receivers that answer have them all. */
async function deliver(client, { arrivals }, isHanging) {
  const arrived = () =>
    sum([...arrivals].filter(([path]) => !isHanging(path)).map(([, { length }]) => length));
  const before = arrived();
  const expected = (ORGANISATIONS * WEBHOOKS_EACH - HANGING) * EVENTS_EACH;
  await client.query('BEGIN');
  for (let number = 0; number < EVENTS_EACH; number++)
    await client.query(`UPDATE users SET first_name = $1 WHERE organisation_id >= $2`, [
      `Name ${Math.random()}`,
      FIRST_CUSTOMER,
    ]);
  await client.query('COMMIT');
  const began = performance.now();
  while (arrived() - before < expected) {
    if (performance.now() - began > 180_000) throw new Error(`${arrived() - before} of ${expected} arrived`);
    await pause(20);
  }
  return { count: expected, milliseconds: performance.now() - began };
}

/**
 * Organisations of one reseller whose receivers all hang, and what a customer of nobody notices:
 * seconds from commit to arrival.
 */
const ATTACKERS = 50;
const ATTACK = 45_000;
const BYSTANDER_PACE = 500;
const BYSTANDER_GOAL = 5;

export async function measureBystander(stage) {
  const isHanging = (path) => path !== '/bystander';
  const { client, receivers, listen } = await setUp(stage, 'bench_bystander', ATTACKERS, isHanging);
  const organisation = await makeOrganisation(client);
  await makePerson(client, organisation);
  await listen(organisation, '/bystander');
  const quiet = await watch(client, organisation, receivers, 10_000);
  await listenAll(listen, ATTACKERS);
  await client.query(
    `UPDATE users SET first_name = 'Attack' WHERE organisation_id >= $1 AND organisation_id < $2`,
    [FIRST_CUSTOMER, FIRST_CUSTOMER + ATTACKERS],
  );
  const during = await watch(client, organisation, receivers, ATTACK);
  const row = {
    attack: `${ATTACKERS * WEBHOOKS_EACH} new receivers of ${ATTACKERS} organisations of a reseller hang`,
    'longest wait of others, s': during / 1000,
    'quiet, s': quiet / 1000,
  };
  return [atMost(row, during / 1000, BYSTANDER_GOAL, { unit: ' s' })];
}

/** The longest milliseconds that a change of the bystander took to its receiver. */
async function watch(client, organisation, { arrivals }, milliseconds) {
  const arrived = () => arrivals.get('/bystander')?.length ?? 0;
  const made = [];
  await settleOf(client, organisation);
  const before = arrived();
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(BYSTANDER_PACE)) {
    await client.query('UPDATE users SET first_name = $1 WHERE organisation_id = $2', [
      `Name ${Math.random()}`,
      organisation,
    ]);
    made.push(performance.now());
  }
  const end = performance.now() + 300_000;
  while (arrived() - before < made.length && performance.now() < end) await pause(50);
  const times = arrivals.get('/bystander').slice(before);
  return Math.max(...made.map((time, index) => (times[index] ?? performance.now()) - time));
}

/** Waits until the events of an organisation are sent. */
async function settleOf(client, organisation) {
  for (let turn = 0; turn < 100; turn++) {
    await pause(100);
    const { rows } = await client.query(
      `SELECT count(*)::integer AS waiting FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
       WHERE w.organisation_id = $1 AND d.next_try_at IS NOT NULL`,
      [organisation],
    );
    if (turn > 20 && rows[0].waiting === 0) return;
  }
}

/**
 * What a process that has nothing to send pays for webhooks whose next try is due tomorrow: a look, of which
 * it makes one a second, and the processor time of a second.
 */
const WAITING = 20_000;
const LOOKS = 50;
const IDLE = 15_000;
/** A look beside those that wait, in times of one beside none: both take a fraction of a millisecond. */
const LOOK_GOAL = 5;

export async function measureWaiting(stage) {
  const { service, client } = await setUp(stage, 'bench_waiting_webhooks', WAITING / WEBHOOKS_EACH);
  const { DUE } = stage.built('libs/feeds/webhooks/turn.queries.js');
  const states = [];
  for (const waiting of [0, WAITING]) {
    if (waiting > 0) await waitForTomorrow(client);
    const looks = [];
    for (let count = 0; count < LOOKS; count++) {
      const began = performance.now();
      await client.query({ ...DUE, values: [16, 32] });
      looks.push(performance.now() - began);
    }
    const before = { node: processorTimeOf(service.pid), postgres: processorTimeOf(stage.postgres.pid) };
    await pause(IDLE);
    const perSecond = (after, earlier) => (after - earlier) / IDLE;
    states.push({
      'webhooks that wait for tomorrow': waiting,
      'a look, ms': median(looks),
      'Node, ms a second': perSecond(processorTimeOf(service.pid), before.node),
      'PostgreSQL, ms a second': perSecond(processorTimeOf(stage.postgres.pid), before.postgres),
    });
  }
  const [none, many] = states.map((state) => state['a look, ms']);
  return [states[0], atMost(states[1], many / none, LOOK_GOAL, { unit: ' times a look beside none' })];
}

/**
 * Webhooks of all customers with a delivery that has failed eight times. In parts: the limit of deliveries
 * locks each webhook of a statement, and PostgreSQL has no room for so many locks.
 */
async function waitForTomorrow(client) {
  const customers = 500;
  for (let first = FIRST_CUSTOMER; first < FIRST_CUSTOMER + WAITING / WEBHOOKS_EACH; first += customers)
    await client.query(
      `WITH webhook AS (
         INSERT INTO webhooks (organisation_id, url, events, sealed_secret, made_after, is_slow, taken_until)
         SELECT id, 'https://receiver.example/', '{contacts.created}', '', 0, true, now()
         FROM organisations CROSS JOIN generate_series(1, $1::integer) WHERE id >= $2 AND id < $3 RETURNING id)
       INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, failures, next_try_at)
       SELECT id, gen_random_uuid(), 'contacts.created', '{}', 8, now() + interval '1 day' FROM webhook`,
      [WEBHOOKS_EACH, first, first + customers],
    );
  await client.query('VACUUM ANALYZE');
  await settle(client);
}
