import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { groupMegabytes, processorTimeOf, residentMegabytes } from './linux-processes.mjs';

/** Seconds that a client waits for a response. */
const TIMEOUT = 60;
/** Microseconds of processor time in a second. */
const QUIET = 200_000;
/** Of a millisecond: as fine as responses are counted. */
const GRAIN = 0.1;

/**
 * Requests of `target`, one for each connection again and again. With `pids` the figures of a row: successes
 * a second, their latencies in milliseconds, all other outcomes, processor time for each response in
 * microseconds, peak memory in MB.
 */
export async function measured({ url, requests }, { connections, seconds, pids }) {
  const latencies = new Map();
  let next = 0;
  const running = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: TIMEOUT,
    setupClient: (client) => client.setRequests([repeatable(requests[next++ % requests.length])]),
  });
  let answers = 0;
  running.on('response', (_, status, __, milliseconds) => {
    answers += 1;
    if (status < 200 || status > 299) return;
    const grain = Math.round(milliseconds / GRAIN);
    latencies.set(grain, (latencies.get(grain) ?? 0) + 1);
  });
  const before = pids && timesOf(pids);
  const peak = { service: 0, postgres: 0 };
  const sampling =
    pids &&
    setInterval(() => {
      peak.service = Math.max(peak.service, residentMegabytes(pids.service));
      peak.postgres = Math.max(peak.postgres, groupMegabytes(pids.postgres));
    }, 1000);
  const result = await running;
  clearInterval(sampling);
  const after = pids && timesOf(pids);
  if (pids === undefined) return undefined;
  const good = result['2xx'];
  // Refusals are figures; a request that is wrong is a mistake of this file.
  const wrong = Object.keys(result.statusCodeStats).filter((status) => /^4(?!29)/.test(status));
  if (wrong.length > 0) throw new Error(`The answers were ${JSON.stringify(result.statusCodeStats)}`);
  const each = (name) => (after[name] - before[name]) / answers;
  return {
    'a second': good / result.duration,
    'p50 ms': percentileOf(latencies, 0.5),
    'p95 ms': percentileOf(latencies, 0.95),
    'p99 ms': percentileOf(latencies, 0.99),
    errors: result.non2xx + result.errors,
    'service µs': each('service'),
    'PostgreSQL µs': each('postgres'),
    'service MB': peak.service,
    'PostgreSQL MB': peak.postgres,
    'a second for each core': 1e6 / (each('service') + each('postgres')),
  };
}

/**
 * Waits for the end of requests whose client has left: they would be part of the next run. A minute at most.
 */
export async function quiet(pids) {
  for (let turn = 0; turn < 60; turn++) {
    const before = timesOf(pids);
    await pause(1000);
    const after = timesOf(pids);
    const busy = after.service + after.postgres - before.service - before.postgres;
    if (busy < QUIET) return;
  }
}

/** Calls the parts that are functions, a body or a path, before each request. */
function repeatable(request) {
  const functions = Object.entries(request).filter(([, part]) => typeof part === 'function');
  const called = () => Object.fromEntries(functions.map(([name, part]) => [name, part()]));
  return {
    ...request,
    ...called(),
    ...(functions.length > 0 && { setupRequest: (one) => ({ ...one, ...called() }) }),
  };
}

const timesOf = ({ service, postgres }) => ({
  service: processorTimeOf(service),
  postgres: processorTimeOf(postgres),
});

function percentileOf(latencies, part) {
  const sorted = [...latencies].sort(([one], [other]) => one - other);
  let left = sorted.reduce((sum, [, count]) => sum + count, 0) * part;
  for (const [grain, count] of sorted) {
    left -= count;
    if (left <= 0) return grain * GRAIN;
  }
  return NaN;
}
