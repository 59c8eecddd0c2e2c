import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { caller, fillKeys, pause, times } from './abuse.mjs';
import { createMigratedDatabase, withClient } from './database.mjs';
import { highestResidentMegabytes } from './linux-processes.mjs';
import { startService } from './service.mjs';
import { judged } from './table.mjs';

/** Milliseconds of an attack, and those between two calls of the bystander. */
const ATTACK = 8000;
const PACE = 50;
/** Milliseconds between two connections of a pipeline. */
const PIECE_PACE = 250;
/** Milliseconds, and MB of the process. */
const P95_GOAL = 500;
const MEMORY_GOAL = 450;

/**
 * What an attacker does to others only with connections: many requests in one piece, and requests whose connection is reset
 * at once. Each attack meets a process of its own, with the limit of public calls.
 */
export async function measureConnections(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_connections');
  const rows = [];
  let world;
  for (const [what, attack] of Object.entries(ATTACKS)) {
    const service = await startService(databaseUrl, 3953, { RATE_LIMIT: 'on' });
    try {
      world ??= await withClient(databaseUrl, makeWorld);
      // The first request makes the document, once in the life of a process.
      await (await fetch(`${service.url}/docs/openapi.json`)).arrayBuffer();
      const place = { port: Number(new URL(service.url).port), ...world };
      const during = await watched(caller(service.url), world.bystander, (state) => attack(place, state));
      const memory = highestResidentMegabytes(service.pid);
      const { rows: unknown } = await withClient(databaseUrl, (client) =>
        client.query(`SELECT FROM audit_log WHERE address = '0.0.0.0'`),
      );
      const figures = {
        attack: what,
        'p95 of others, ms': during.p95,
        'not 200': during.failed,
        'memory, MB': memory,
        'rows of 0.0.0.0': unknown.length,
        connections: during.connections,
        'attacker got': during.got,
      };
      const isMet =
        during.failed === 0 && during.p95 <= P95_GOAL && memory < MEMORY_GOAL && unknown.length === 0;
      const goal = `<= ${P95_GOAL} ms, all 200, under ${MEMORY_GOAL} MB, no 0.0.0.0`;
      rows.push(judged(figures, { goal, isMet }));
    } finally {
      await service.stop();
    }
  }
  return rows;
}

const request = (method, path, hash, body) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${hash === undefined ? '' : `Authorization: ${hash}\r\n`}` +
  (body === undefined
    ? '\r\n'
    : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

/** About as many requests as Node reads at once, in one piece. */
const PIPELINES = {
  '1,450 × the OpenAPI document': () => request('GET', '/docs/openapi.json').repeat(1450),
  '540 × a made-up credential': () => request('GET', '/v1/whoami', 'made-up').repeat(540),
  '430 × a list of almost 16 kB': ({ attacker }) =>
    request(
      'GET',
      `/v1/organisations/${attacker.organisationId}/users/${attacker.id}/sshkeys?limit=1`,
      attacker.hash,
    ).repeat(430),
};

const ATTACKS = {
  ...Object.fromEntries(
    [1, 4].flatMap((connections) =>
      Object.entries(PIPELINES).map(([what, textOf]) => [
        `pipelining: ${what}, ${connections} at once`,
        (place, state) =>
          Promise.all(
            times(connections, () => repeat(state, PIECE_PACE, () => send(place, state, textOf(place)))),
          ),
      ]),
    ),
  ),
  'resets: 40 changes at once': (place, state) =>
    Promise.all(times(40, (index) => repeat(state, 1, () => reset(place, changeOf(place, index))))),
};

async function repeat(state, pace, work) {
  while (!state.isOver) {
    await work();
    state.connections++;
    await pause(pace);
  }
}

/** Writes a text and reads what comes until the connection ends. */
async function send({ port }, state, text) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.on('data', (bytes) => {
    for (const [, status] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g))
      state.statuses[status] = (state.statuses[status] ?? 0) + 1;
  });
  socket.write(text);
  await Promise.race([closed, pause(2000)]);
  socket.destroy();
}

const changeOf = ({ attacker }, index) =>
  request(
    'PUT',
    `/v1/organisations/${attacker.organisationId}`,
    attacker.hash,
    JSON.stringify({ name: 'X', taxNumber: 'T', city: `City ${index} ${Math.random()}` }),
  );

async function reset({ port }, text) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  socket.write(text);
  socket.resetAndDestroy();
}

/** Lets the bystander ask at an even pace during an attack. */
async function watched(call, { hash }, attack) {
  const state = { isOver: false, connections: 0, statuses: {} };
  const latencies = [];
  let failed = 0;
  const attacking = attack(state);
  for (const end = performance.now() + ATTACK; performance.now() < end; await pause(PACE)) {
    const start = performance.now();
    if ((await call('GET', '/whoami', hash)) !== 200) failed++;
    latencies.push(performance.now() - start);
  }
  state.isOver = true;
  await attacking;
  latencies.sort((one, other) => one - other);
  const { connections, statuses } = state;
  const got = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return { p95: latencies[Math.floor(latencies.length * 0.95)], failed, connections, got: got.join(', ') };
}

/** An attacker with 16 kB of keys, and the bystander of another organisation. */
async function makeWorld(client) {
  const one = async (text, values) => (await client.query(text, values)).rows[0].id;
  const person = async (roles) => {
    const organisationId = await one(
      `INSERT INTO organisations (name, tax_number, parent_id) VALUES ('X', 'T', 1) RETURNING id`,
    );
    const id = await one(
      `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
       VALUES ($1, $2, 'A', 'B', $3, '') RETURNING id`,
      [organisationId, `user${organisationId}@bench.example`, roles],
    );
    const hash = randomBytes(32).toString('hex');
    await client.query(
      `INSERT INTO logins (user_id, digest, expires_at, address) VALUES ($1, $2, now() + interval '1 day', '127.0.0.1')`,
      [id, createHash('sha256').update(hash).digest()],
    );
    return { id, organisationId, hash };
  };
  const attacker = await person(['ROLE_CUSTADMIN']);
  await fillKeys(client, attacker.id);
  return { attacker, bystander: await person([]) };
}
