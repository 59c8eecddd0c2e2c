import { createMigratedDatabase, postgresPidOf, withClient } from './database.mjs';
import { processorTimeOf } from './linux-processes.mjs';
import { median } from './load.mjs';
import { startReceivers, webhookMaker } from './receivers.mjs';
import { seed } from './seed.mjs';
import { logIn, startService } from './service.mjs';
import { judged } from './table.mjs';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const SETTINGS = { SECRETS_KEY, WEBHOOK_NETWORKS: '127.0.0.0/8' };

/** `seed` gives customers these ids. */
const FIRST_CUSTOMER = 1000;

/** Latency of a write with three webhooks, in that of one without (issue 28). */
const WRITE_GOAL = 1.1;
const WRITES_A_ROUND = 100;
const WRITE_ROUNDS = 9;
/** Milliseconds from one write to the next. */
const WRITE_PACE = 20;

/** Deliveries a second (issue 35). */
const RATE_GOAL = 1000;
const ORGANISATIONS = 25;
const WEBHOOKS_EACH = 4;
const HANGING = 10;
const EVENTS_EACH = 60;

export async function measureDeliveries(environment) {
  return [
    await measureWrites(environment),
    ...(await measureRates(environment)),
    ...(await measureBystander(environment)),
  ];
}

/** Changes of users in two organisations, in turns, one of which has three webhooks. Another process delivers meanwhile. */
async function measureWrites(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_webhook_writes');
  const receivers = await startReceivers();
  const service = await startService(databaseUrl, 3983, { ...SETTINGS, WORKER: 'off' });
  const worker = await startService(databaseUrl, 3984, SETTINGS);
  try {
    await seed(databaseUrl, 10);
    const listen = webhookMaker({ ...environment, secretsKey: SECRETS_KEY });
    return await withClient(databaseUrl, async (client) => {
      const [told, untold] = [FIRST_CUSTOMER, FIRST_CUSTOMER + 1];
      for (let made = 0; made < 3; made++) await listen(client, told, `${receivers.url}/${made}`);
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
      return judged(
        {
          writes: 'PATCH of a user',
          'p50 ms': { told: median(times.told), untold: median(times.untold) },
          'Node µs': { told: median(processor.told), untold: median(processor.untold) },
          deliveries: sum([...receivers.arrivals.values()].map(({ length }) => length)),
          ratio,
        },
        { goal: `<= ${WRITE_GOAL} times the latency`, isMet: ratio <= WRITE_GOAL },
      );
    });
  } finally {
    await service.stop();
    await worker.stop();
    await receivers.stop();
  }
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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

/** How fast one process sends, to receivers of which some hang: as they are all new, and once it knows them. */
async function measureRates(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_deliveries');
  const isHanging = (path) => Number(path.slice(1)) % ((ORGANISATIONS * WEBHOOKS_EACH) / HANGING) === 0;
  const receivers = await startReceivers({ hangs: isHanging });
  const service = await startService(databaseUrl, 3985, SETTINGS);
  try {
    await seed(databaseUrl, ORGANISATIONS);
    const postgresPid = await postgresPidOf(databaseUrl);
    const listen = webhookMaker({ ...environment, secretsKey: SECRETS_KEY });
    return await withClient(databaseUrl, async (client) => {
      for (let index = 0; index < ORGANISATIONS * WEBHOOKS_EACH; index++)
        await listen(client, FIRST_CUSTOMER + Math.floor(index / WEBHOOKS_EACH), `${receivers.url}/${index}`);
      const rows = [];
      for (const state of ['all receivers are new', 'known']) {
        const before = processorTimeOf(service.pid) + processorTimeOf(postgresPid);
        const { count, milliseconds } = await deliver(client, receivers, isHanging);
        const used = processorTimeOf(service.pid) + processorTimeOf(postgresPid) - before;
        const rate = (count / milliseconds) * 1000;
        rows.push(
          judged(
            {
              deliveries: `${ORGANISATIONS * WEBHOOKS_EACH} receivers, ${HANGING} hang; ${state}`,
              count,
              seconds: milliseconds / 1000,
              'a second': rate,
              'Node and PostgreSQL µs each': used / count,
            },
            { goal: `>= ${RATE_GOAL} a second`, isMet: rate >= RATE_GOAL },
          ),
        );
      }
      return rows;
    });
  } finally {
    await service.stop();
    await receivers.stop();
  }
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

/** Organisations of one reseller whose receivers all hang, and what a customer of nobody notices: seconds from commit to arrival. */
const ATTACKERS = 50;
const ATTACK = 45_000;
const BYSTANDER_PACE = 500;
const BYSTANDER_GOAL = 5;

async function measureBystander(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_bystander');
  const receivers = await startReceivers({ hangs: (path) => !path.startsWith('/bystander') });
  const service = await startService(databaseUrl, 3986, SETTINGS);
  try {
    await seed(databaseUrl, ATTACKERS);
    const listen = webhookMaker({ ...environment, secretsKey: SECRETS_KEY });
    return await withClient(databaseUrl, async (client) => {
      const bystander = await makeBystander(client);
      await listen(client, bystander.organisation, `${receivers.url}/bystander`);
      const quiet = await watch(client, bystander, receivers, 10_000);
      for (let index = 0; index < ATTACKERS * WEBHOOKS_EACH; index++)
        await listen(
          client,
          FIRST_CUSTOMER + Math.floor(index / WEBHOOKS_EACH),
          `${receivers.url}/a${index}`,
        );
      await client.query(
        'UPDATE users SET first_name = $1 WHERE organisation_id >= $2 AND organisation_id < $3',
        [...['Attack', FIRST_CUSTOMER, FIRST_CUSTOMER + ATTACKERS]],
      );
      const during = await watch(client, bystander, receivers, ATTACK);
      return [
        judged(
          {
            attack: `${ATTACKERS * WEBHOOKS_EACH} new receivers of ${ATTACKERS} organisations of a reseller hang`,
            'longest wait of others, s': during / 1000,
            'quiet, s': quiet / 1000,
          },
          { goal: `<= ${BYSTANDER_GOAL} s`, isMet: during <= BYSTANDER_GOAL * 1000 },
        ),
      ];
    });
  } finally {
    await service.stop();
    await receivers.stop();
  }
}

/** A customer of the operator itself, with a user to change. */
async function makeBystander(client) {
  const { rows } = await client.query(
    `INSERT INTO organisations (name, tax_number, parent_id) VALUES ('Bystander', 'NLB', 1) RETURNING id`,
  );
  const organisation = rows[0].id;
  await client.query(
    `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
     SELECT $1, 'bystander@bench.example', 'B', 'B', '{}', password_hash FROM users LIMIT 1`,
    [organisation],
  );
  return { organisation };
}

/** The longest milliseconds that a change of the bystander took to its receiver. */
async function watch(client, { organisation }, { arrivals }, milliseconds) {
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
