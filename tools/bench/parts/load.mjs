import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { processorTimeOf } from './linux-processes.mjs';
import { median, quantile } from './table.mjs';

const CONNECTIONS = 16;

/**
 * Requests a second and latency of a GET under steady load: of a `url` with the `hash` of a login. Each
 * connection asks again at once. Fails when any answer has another status than 2xx.
 */
async function load({ url, hash }, { seconds }) {
  const headers = { authorization: hash };
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers });
  if (result['2xx'] < result.requests.total || result.errors > 0) {
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
  const response = await fetch(url, { headers: { authorization: hash } });
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
export async function loadInTurns(targets, postgresPid, { rounds = 5, seconds = 3 } = {}) {
  for (const target of targets) await load(target, { seconds: 2 });
  const results = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const before = processorTimes(target.pid, postgresPid);
      const { count, ...figures } = await load(target, { seconds });
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

/** Median latency in milliseconds of GETs made one after the other, measured in turns. */
export async function latencyInTurns(targets, { rounds, warmUp }) {
  const times = targets.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      const time = await timeOf(target);
      if (round >= 0) times[index].push(time);
    }
  }
  return times.map(median);
}
