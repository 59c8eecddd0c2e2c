import autocannon from 'autocannon';

const CONNECTIONS = 16;

/** Requests a second and latency of one GET under steady load. Fails when any answer is not 200. */
export async function load(url, hash, { seconds = 3, connections = CONNECTIONS } = {}) {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authorization: hash },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed`);
  }
  return {
    rate: result.requests.average,
    count: result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Logins a second from so many clients at once, each beginning its next login when the last was answered. */
export async function loginLoad(url, credentials, { seconds, connections }) {
  const result = await autocannon({
    url: `${url}/v1/login`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
    connections,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} logins were not answered with 2xx, ${result.errors} failed`);
  }
  return result['2xx'] / result.duration;
}

/** Measures several targets in turns, so that what else the machine does falls on all of them alike. */
export async function loadInTurns(targets, { rounds = 5, seconds = 3 } = {}) {
  for (const { url, hash } of targets) await load(url, hash, { seconds: 2 });
  const rates = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { url, hash }] of targets.entries()) {
      rates[index].push((await load(url, hash, { seconds })).rate);
    }
  }
  return rates.map(median);
}

/** Median latency in milliseconds of requests made one after the other, measured in turns. */
export async function latencyInTurns(targets, { rounds = 60, warmUp = 20 } = {}) {
  const times = targets.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, { url, hash }] of targets.entries()) {
      const start = performance.now();
      const response = await fetch(url, { headers: { authorization: hash } });
      if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
      await response.arrayBuffer();
      if (round >= 0) times[index].push(performance.now() - start);
    }
  }
  return times.map(median);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
