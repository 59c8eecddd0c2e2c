import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { measured } from './comparable-load.mjs';
import { withClient } from './database.mjs';
import { changeOfUser, json, loginOf, makePeople, word } from './people.mjs';
import { logIn } from './service.mjs';

export const measures = [measureLimit];

const SECONDS = 10;
const WARM_UP = 3;
const CONNECTIONS = 16;
/** Milliseconds between two looks at what transactions wait for. */
const LOOK = 5;

/**
 * What one PostgreSQL carries, for docs/beyond-one-database.md: for each kind of write the log that it
 * leaves, the processor time that it takes, and what its transactions wait for.
 */
async function measureLimit(stage) {
  const seconds = Number(stage.seconds ?? SECONDS);
  const databaseUrl = await stage.database('bench_limit');
  const service = await stage.service(databaseUrl, { BCRYPT_COST: '4', WORKER: 'off' });
  const people = await makePeople(databaseUrl);
  const admin = await logIn(service.url);
  const pids = { service: service.pid, postgres: stage.postgres.pid };
  const rows = [];
  for (const [write, requestOf] of Object.entries(WRITES)) {
    const requests = people.slice(0, CONNECTIONS).map((person) => requestOf(person, admin, people));
    const target = { url: service.url, requests };
    await measured(target, { connections: CONNECTIONS, seconds: WARM_UP });
    rows.push({ write, ...(await watched(databaseUrl, target, { seconds, pids })) });
  }
  return rows;
}

/** Each connection is a user of its own; the organisations are all made by one admin. */
const WRITES = {
  'a login': loginOf,
  'change of a user': changeOfUser,
  'change of an organisation': ({ organisationId }, admin) => ({
    method: 'PATCH',
    path: `/v1/organisations/${organisationId}`,
    headers: json(admin),
    body: () => JSON.stringify({ name: word(), taxNumber: 'NL1' }),
  }),
  'a new team, each in any of 1,000 organisations': (_, admin, people) => ({
    method: 'POST',
    headers: json(admin),
    // An organisation has 200 teams at most.
    path: () => `/v1/organisations/${people[randomInt(people.length)].organisationId}/teams`,
    body: () => JSON.stringify({ name: word() }),
  }),
  'a new organisation, all beneath one': (_, admin) => ({
    method: 'POST',
    path: '/v1/organisations',
    headers: json(admin),
    body: () => JSON.stringify({ name: word(), taxNumber: 'NL1' }),
  }),
};

/** A run with the log that it leaves and what its transactions were seen to wait for. */
const watched = (databaseUrl, target, { seconds, pids }) =>
  withClient(databaseUrl, async (client) => {
    const lsn = async () =>
      (await client.query('SELECT pg_current_wal_insert_lsn() - $1::pg_lsn AS bytes', ['0/0'])).rows[0].bytes;
    // The first change of a page after a checkpoint writes the whole page: such a run would measure those.
    await client.query('CHECKPOINT');
    await measured(target, { connections: CONNECTIONS, seconds: WARM_UP });
    const before = await lsn();
    const figures = await measured(target, { connections: CONNECTIONS, seconds, pids });
    const bytes = (await lsn()) - before;
    // Looking takes processor time of PostgreSQL, so it has a run of its own.
    const waits = new Map();
    let isOver = false;
    const looking = (async () => {
      while (!isOver) {
        const { rows } = await client.query(WAITING);
        for (const { wait } of rows) waits.set(wait, (waits.get(wait) ?? 0) + 1);
        await pause(LOOK);
      }
    })();
    await measured(target, { connections: CONNECTIONS, seconds });
    isOver = true;
    await looking;
    const seen = [...waits.values()].reduce((sum, count) => sum + count, 0);
    const hottest = [...waits].sort(([, one], [, other]) => other - one).slice(0, 3);
    return {
      'a second': figures['a second'],
      errors: figures.errors,
      'WAL bytes each': bytes / (figures['a second'] * seconds),
      'PostgreSQL µs': figures['PostgreSQL µs'],
      'a second for each core of PostgreSQL': 1e6 / figures['PostgreSQL µs'],
      'waits for': hottest.map(([wait, count]) => `${wait} ${Math.round((count / seen) * 100)} %`).join(', '),
    };
  });

/** Sessions of this database that run a statement, but the one that looks. */
const WAITING = `SELECT coalesce(wait_event_type || ':' || wait_event, 'none') AS wait FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`;
