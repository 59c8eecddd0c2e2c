import { join } from 'node:path';
import { withClient } from './database.mjs';
import { comparisonOf, loadInTurns } from './load.mjs';
import { seed } from './seed.mjs';
import { ADMIN, logIn } from './service.mjs';
import { atLeast } from './table.mjs';

export const measures = [measureFloor];

const GOAL = 0.85;
/** Below it a read has become slower than it was on 2026-11-26, and misses the goal without an excuse. */
const LEAST = 0.7;
/** Why reads stay below the goal. */
const REASON =
  'log, metrics, security headers and Nest in Node; in PostgreSQL the access statement also looks for suspensions and grants';
const FLOOR_SERVER = join(import.meta.dirname, 'floor-server.mjs');

/**
 * The service against the least that could answer: hand-written Express handlers with a minimal SQL of their
 * own on the same database (floor-server.mjs). Side by side in turns; the median of the rounds. Processor
 * time is that of a request, in microseconds.
 */
async function measureFloor(stage) {
  const { databaseUrl, service, reads } = await startEquipped(stage);
  const floor = await stage.server(FLOOR_SERVER, databaseUrl);
  const table = [];
  for (const [request, { path, hash }] of Object.entries(reads)) {
    await assertSameAnswers([service, floor], path, hash);
    const targets = [service, floor].map(({ url, pid }) => ({ url: `${url}${path}`, hash, pid }));
    const comparison = comparisonOf(['service', 'floor'], await loadInTurns(targets, stage.postgres.pid));
    const reason = comparison.ratio < LEAST ? undefined : REASON;
    table.push(atLeast({ request, ...comparison }, comparison.ratio, GOAL, { reason }));
  }
  return table;
}

/**
 * The service on a database with all that the reads are about, and the reads: a path and
 * the hash of a login each.
 */
async function startEquipped(stage) {
  const databaseUrl = await stage.database('bench_floor');
  const service = await stage.service(databaseUrl);
  const { user } = await seed(databaseUrl, 1000);
  await equip(databaseUrl, user);
  const admin = await logIn(service.url);
  const manager = await logIn(service.url, { username: user.username, password: ADMIN.password });
  const own = `/v1/organisations/${user.organisation_id}`;
  const reads = {
    'GET …/users/{id}/contacts': { path: `${own}/users/${user.id}/contacts`, hash: manager },
    'GET …/users/{id}': { path: `${own}/users/${user.id}`, hash: manager },
    'GET /organisations/{id}': { path: own, hash: manager },
    'GET /organisations': { path: '/v1/organisations', hash: admin },
    'GET /whoami': { path: '/v1/whoami', hash: manager },
  };
  return { databaseUrl, service, reads };
}

/** Makes the user a CUSTADMIN of its organisation with five contacts. */
const equip = (databaseUrl, user) =>
  withClient(databaseUrl, async (client) => {
    await client.query(`UPDATE users SET roles = '{ROLE_CUSTADMIN}' WHERE id = $1`, [user.id]);
    await client.query(
      `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
       SELECT $1, $2, 'email', 'c' || n || '@bench.example', 'c' || n || '@bench.example', '{System}'
       FROM generate_series(1, 5) n`,
      [user.organisation_id, user.id],
    );
  });

/** The comparison holds only if both give the same responses. */
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
