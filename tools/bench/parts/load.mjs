import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { processorTimeOf } from './linux-processes.mjs';
import { median, quantile } from './table.mjs';

const CONNECTIONS = 16;

const headersOf = ({ hash, body }) => ({
  authorization: hash,
  ...(body !== undefined && { 'content-type': 'application/json' }),
});

/**
 * Requests a second and latency of one request under steady load: of a `url` with the `hash` of a login; a
 * GET, or the `method` with its `body`. `setup` changes path and headers of each request. Each connection
 * asks again at once. Fails when any answer has another status than 2xx, or than `status`.
 */
export async function load(target, { seconds = 3, connections = CONNECTIONS } = {}) {
  const { url, method = 'GET', body, setup, status } = target;
  const headers = headersOf(target);
  const running = autocannon({
    url,
    method,
    body,
    connections,
    duration: seconds,
    headers,
    ...(setup !== undefined && { requests: [{ setupRequest: setup }] }),
  });
  const result = await running;
  const good = status === undefined ? result['2xx'] : (result.statusCodeStats[status]?.count ?? 0);
  if (good < result.requests.total || result.errors > 0) {
    const answers = JSON.stringify(result.statusCodeStats);
    throw new Error(`${url}: the answers were ${answers}, ${result.errors} requests failed`);
  }
  return {
    rate: result.requests.average,
    count: result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Logins a second of these users at once, each beginning its next login when the last was answered. */
export async function loginLoad(url, users, { seconds }) {
  let next = 0;
  const result = await autocannon({
    url: `${url}/v1/login`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    connections: users.length,
    duration: seconds,
    setupClient: (client) => client.setBody(JSON.stringify(users[next++])),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} logins were not answered with 2xx, ${result.errors} failed`);
  }
  return result['2xx'] / result.duration;
}

/** The milliseconds that a GET takes. */
async function timeOf({ url, hash }) {
  const start = performance.now();
  const response = await fetch(url, { headers: headersOf({ hash }) });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - start;
}

/** The p99 in milliseconds of sequential GETs. */
export async function tailOf(target, { seconds }) {
  const times = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;)
    times.push(await timeOf(target));
  return quantile(times, 0.99);
}

/**
 * The milliseconds of GETs that begin at even intervals, `rate` a second, whether or not those before them
 * are answered. autocannon's rates are another thing: it sends those of a second at once.
 */
export const pacedTimesOf = (target, { seconds, rate }) =>
  Promise.all(
    Array.from({ length: seconds * rate }, async (_, index) => {
      await pause((index * 1000) / rate);
      return timeOf(target);
    }),
  );

/**
 * Loads several targets in turns, so that what else the machine does falls on all of them alike. Gives of
 * each the medians of the rounds: rate and latency, and the microseconds of processor time that a request
 * took of the server (`pid`), of PostgreSQL and of whoever sends the requests.
 */
export async function loadInTurns(targets, postgresPid, { rounds = 5, seconds = 3, connections } = {}) {
  for (const target of targets) await load(target, { seconds: 2, connections });
  const results = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const before = processorTimes(target.pid, postgresPid);
      const { count, ...figures } = await load(target, { seconds, connections });
      const after = processorTimes(target.pid, postgresPid);
      for (const [side, time] of Object.entries(after)) figures[side] = (time - before[side]) / count;
      results[index].push(figures);
    }
  }
  return results.map((rounds) =>
    Object.fromEntries(
      Object.keys(rounds[0]).map((figure) => [figure, median(rounds.map((round) => round[figure]))]),
    ),
  );
}

function processorTimes(nodePid, postgresPid) {
  const { user, system } = process.cpuUsage();
  return { node: processorTimeOf(nodePid), postgres: processorTimeOf(postgresPid), sender: user + system };
}

/** The cells of two targets that were loaded in turns; `names` are those of the targets. */
export function comparisonOf(names, results) {
  const both = (figure) =>
    Object.fromEntries(results.map((result, index) => [names[index], rounded(result[figure])]));
  return {
    'req/s': both('rate'),
    'p50 ms': both('p50'),
    'p99 ms': both('p99'),
    'Node µs': both('node'),
    'PostgreSQL µs': both('postgres'),
    ratio: results[0].rate / results[1].rate,
  };
}

const rounded = (figure) => (figure >= 20 ? Math.round(figure) : figure);

/**
 * Median latency in milliseconds of requests made one after the other, measured in turns: see {@link load}.
 */
export async function latencyInTurns(targets, { rounds = 60, warmUp = 20 } = {}) {
  const times = targets.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const start = performance.now();
      const { url, method, body } = target;
      const response = await fetch(url, { method, body, headers: headersOf(target) });
      if (response.status !== 200) throw new Error(`${target.url} answered ${response.status}`);
      await response.arrayBuffer();
      if (round >= 0) times[index].push(performance.now() - start);
    }
  }
  return times.map(median);
}
