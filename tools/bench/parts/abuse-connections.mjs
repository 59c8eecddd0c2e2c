import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bystanderDuring, caller, fillKeys, inParallel } from './bystander.mjs';
import { withClient } from './database.mjs';
import { highestResidentMegabytes } from './linux-processes.mjs';
import { makeOrganisation, makePerson } from './people.mjs';
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
 * What an attacker does to others only with connections: many requests in one piece, and requests whose
 * connection is reset at once. Each attack meets a process of its own, with the limit of public calls.
 */
export async function measureConnections(stage) {
  const databaseUrl = await stage.database('bench_connections');
  const rows = [];
  let world;
  for (const [what, attack] of Object.entries(ATTACKS)) {
    const service = await stage.service(databaseUrl, { RATE_LIMIT: 'on' });
    world ??= await withClient(databaseUrl, makeWorld);
    // The first request makes the document, once in the life of a process.
    await (await fetch(`${service.url}/docs/openapi.json`)).arrayBuffer();
    const place = { port: Number(new URL(service.url).port), ...world };
    const call = caller(service.url);
    let connections = 0;
    const during = await bystanderDuring(
      (state) => attack(place, state, () => connections++),
      () => call('GET', '/whoami', world.bystander.hash),
      { milliseconds: ATTACK, pace: PACE },
    );
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
      connections,
      'attacker got': during.got,
    };
    const isMet =
      during.failed === 0 && during.p95 <= P95_GOAL && memory < MEMORY_GOAL && unknown.length === 0;
    const goal = `<= ${P95_GOAL} ms, all 200, under ${MEMORY_GOAL} MB, no 0.0.0.0`;
    rows.push(judged(figures, { goal, isMet }));
    await service.stop();
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
        (place, state, count) =>
          inParallel(connections, state, async () => {
            await send(place, state, textOf(place));
            count();
            await pause(PIECE_PACE);
          }),
      ]),
    ),
  ),
  'resets: 40 changes at once': (place, state, count) =>
    inParallel(40, state, async (index) => {
      await reset(place, changeOf(place, index));
      count();
      await pause(1);
    }),
};

/** Writes a text and reads what comes until the connection ends. */
async function send({ port }, state, text) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.on('data', (bytes) => {
    for (const [, status] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) state.note(status);
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

/** An attacker with 16 kB of keys, and the bystander of another organisation. */
async function makeWorld(client) {
  const attacker = await makePerson(client, await makeOrganisation(client), ['ROLE_CUSTADMIN']);
  await fillKeys(client, attacker.id);
  return { attacker, bystander: await makePerson(client, await makeOrganisation(client)) };
}
