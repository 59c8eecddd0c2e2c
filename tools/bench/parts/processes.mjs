import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionsTo, createMigratedDatabase, postgresPidOf } from './database.mjs';
import { groupMegabytes } from './linux-processes.mjs';
import { comparisonOf, loadInTurns } from './load.mjs';
import { seed } from './seed.mjs';
import { ADMIN, logIn, startService } from './service.mjs';
import { judged } from './table.mjs';

/** Share of n times the rate of one process, while there are cores. */
const GOAL = 0.9;
const MOST = 8;
/** Clients for each process: connections are dealt out in turns, so that each process gets as many. */
const CLIENTS = 16;
/** Milliseconds without a request after which a service counts as idle. */
const IDLE = 30_000;

/**
 * What PROCESSES=n makes of a read, for 2, 4, … processes up to the cores. PostgreSQL and whoever sends the requests need
 * cores as well: where these end, no rate shows whether the processes are in each other's way. What a request costs in
 * processor time does: while it stays the same, n processes serve n times as much wherever there are cores for it.
 */
export async function measureProcesses(environment) {
  const cores = availableParallelism();
  const groups = [];
  const services = [];
  try {
    for (let processes = 1; processes <= Math.max(2, Math.min(cores, MOST)); processes *= 2) {
      groups.push(await startGroup(environment, processes, services));
    }
    const postgresPid = await postgresPidOf(environment.serverUrl);
    const [single, ...others] = groups;
    const rows = [];
    for (const group of others) {
      const clients = { connections: CLIENTS * group.processes };
      const [many, one] = await loadInTurns([group.read, single.read], postgresPid, clients);
      rows.push(rowOf(group.processes, many, one, cores));
    }
    for (const { processes, databaseUrl, idle, read } of groups) {
      rows.push({
        processes,
        'MB idle': idle,
        'MB after the load': groupMegabytes(read.pid),
        'connections to PostgreSQL': await connectionsTo(databaseUrl),
      });
    }
    return rows;
  } finally {
    for (const service of services) await service.stop();
  }
}

/** The service with so many processes on a database of its own, and the read that it is asked for. */
async function startGroup(environment, processes, services) {
  const databaseUrl = await createMigratedDatabase(environment, `bench_processes_${processes}`);
  const service = await startService(databaseUrl, 3980 + processes, { PROCESSES: String(processes) });
  services.push(service);
  const { user } = await seed(databaseUrl, 1000);
  await wait(IDLE);
  const idle = groupMegabytes(service.pid);
  const hash = await logIn(service.url, { username: user.username, password: ADMIN.password });
  const url = `${service.url}/v1/organisations/${user.organisation_id}/users/${user.id}`;
  return { processes, databaseUrl, idle, read: { url, hash, pid: service.pid } };
}

function rowOf(processes, many, one, cores) {
  const { ratio: speedUp, ...figures } = comparisonOf([`${processes} processes`, 'one'], [many, one]);
  // A process that is busy all the time keeps a core busy, and parts of others.
  const wanted = processes * (1 + (one.postgres + one.sender) / one.node);
  const hasCores = wanted <= cores;
  const ratio = hasCores ? speedUp / processes : (one.node + one.postgres) / (many.node + many.postgres);
  const measure = hasCores ? `of ${processes} times the rate` : 'of the requests in the same processor time';
  const reason = hasCores
    ? ''
    : ` (${processes} times the rate wants ${wanted.toFixed(1)} cores of ${cores})`;
  return judged(
    { request: `GET …/users/{id}, ${processes} processes against one`, ...figures, ratio },
    { goal: `>= ${GOAL} ${measure}${reason}`, isMet: ratio >= GOAL },
  );
}
