import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { load, median } from './load.mjs';
import { postgresProcessorTime, processorTimeOf } from './processor-time.mjs';
import { seed } from './seed.mjs';
import { ADMIN, createDatabase, logIn, startService } from './service.mjs';
import { withGoal } from './table.mjs';

const GOAL = 0.8;
const SERVICE_PORT = 3911;
const FLOOR_PORT = 3912;
const ROUNDS = 5;
const SECONDS = 3;

/**
 * The service against the least that could answer: hand-written Express handlers with a minimal SQL of their own on
 * the same database (floor-server.mjs). Side by side in turns; the median of the rounds. Processor time is that of a
 * request, in microseconds.
 */
export async function measureFloor({ serverUrl, built }) {
  const databaseUrl = await createDatabase(serverUrl, 'bench_floor');
  await built('libs/core/jobs/migrate.js').migrate(databaseUrl);
  const service = await startService(databaseUrl, SERVICE_PORT);
  const { user } = await seed(databaseUrl, 1000);
  await equip(databaseUrl, user);
  const postgres = await postgresProcessorTime(databaseUrl);
  const admin = await logIn(service.url);
  const manager = await logIn(service.url, { username: user.username, password: ADMIN.password });
  const floor = await startFloor(databaseUrl);
  const own = `/v1/organisations/${user.organisation_id}`;
  const reads = {
    'GET …/users/{id}/contacts': { path: `${own}/users/${user.id}/contacts`, hash: manager },
    'GET …/users/{id}': { path: `${own}/users/${user.id}`, hash: manager },
    'GET /organisations/{id}': { path: own, hash: manager },
    'GET /organisations': { path: '/v1/organisations', hash: admin },
    'GET /whoami': { path: '/v1/whoami', hash: manager },
  };
  try {
    const table = [];
    for (const [name, { path, hash }] of Object.entries(reads)) {
      await assertSameAnswers([service, floor], path, hash);
      const [ours, floors] = await inTurns([service, floor], path, hash, postgres);
      const ratio = ours.rate / floors.rate;
      table.push({
        request: name,
        'req/s': `${ours.rate.toFixed(0)} / ${floors.rate.toFixed(0)}`,
        'p50 ms': `${ours.p50} / ${floors.p50}`,
        'p99 ms': `${ours.p99} / ${floors.p99}`,
        'Node µs': `${ours.node.toFixed(0)} / ${floors.node.toFixed(0)}`,
        'PostgreSQL µs': `${ours.postgres.toFixed(0)} / ${floors.postgres.toFixed(0)}`,
        ratio: withGoal(ratio, `>= ${GOAL}`, ratio >= GOAL),
      });
    }
    return table;
  } finally {
    await service.stop();
    await floor.stop();
  }
}

/** Makes the user a CUSTADMIN of its organisation with five contacts. */
async function equip(databaseUrl, user) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `UPDATE users SET roles = '{ROLE_CUSTADMIN}' WHERE id = $1 RETURNING username`,
    [user.id],
  );
  user.username = rows[0].username;
  await client.query(
    `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
     SELECT $1, $2, 'email', 'c' || n || '@bench.example', 'c' || n || '@bench.example', '{System}'
     FROM generate_series(1, 5) n`,
    [user.organisation_id, user.id],
  );
  await client.end();
}

async function inTurns(targets, path, hash, postgres) {
  for (const { url } of targets) await load(`${url}${path}`, hash, { seconds: 2 });
  const rounds = targets.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { url, pid }] of targets.entries()) {
      const before = [processorTimeOf(pid), postgres()];
      const { count, ...times } = await load(`${url}${path}`, hash, { seconds: SECONDS });
      rounds[index].push({
        ...times,
        node: (processorTimeOf(pid) - before[0]) / count,
        postgres: (postgres() - before[1]) / count,
      });
    }
  }
  return rounds.map((results) =>
    Object.fromEntries(
      Object.keys(results[0]).map((figure) => [figure, median(results.map((result) => result[figure]))]),
    ),
  );
}

async function startFloor(databaseUrl) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'floor-server.mjs'), databaseUrl, String(FLOOR_PORT)],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${FLOOR_PORT}`,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A floor that answers something else would be no floor. */
async function assertSameAnswers(targets, path, hash) {
  const answers = await Promise.all(
    targets.map(async ({ url }) => {
      const response = await fetch(`${url}${path}`, { headers: { authorization: hash } });
      return response.text();
    }),
  );
  const [ours, floors] = answers;
  if (ours !== floors) throw new Error(`${path}: ${ours} here, ${floors} at the floor`);
}
