import { withMemoryGrowth } from './linux-processes.mjs';
import { seed } from './seed.mjs';
import { ADMIN, logIn } from './service.mjs';
import { judged } from './table.mjs';

export const measures = [measureCsv];

const ROWS = 100_000;
/** Milliseconds, and MB. */
const FIRST_BYTE_GOAL = 200;
const MEMORY_GOAL = 50;

/**
 * A csv of 100,000 organisations: the time to its first byte, and the memory that it takes beyond
 * what the service had (Linux).
 */
async function measureCsv(stage) {
  const databaseUrl = await stage.database('bench_csv');
  const { url, pid } = await stage.service(databaseUrl, { LIST_LIMIT_MAX: '1000000' });
  const { reseller } = await seed(databaseUrl, ROWS);
  const admin = await logIn(url);
  const resellerHash = await logIn(url, { username: 'reseller@bench.example', password: ADMIN.password });
  // Warms up: what a request loads once is not memory of a long list.
  for (const path of ['/organisations?limit=100', `/organisations/${reseller}/organisations?limit=100`]) {
    for (let time = 0; time < 20; time++) await readCsv(`${url}/v1${path}`, admin, 100);
  }
  const rows = [];
  for (const [csv, hash, path] of [
    ["admin's organisations", admin, '/organisations?limit=0'],
    ["reseller's organisations", resellerHash, '/organisations?limit=0'],
    ["reseller's sub-organisations", resellerHash, `/organisations/${reseller}/organisations?limit=0`],
    ['the same by name', resellerHash, `/organisations/${reseller}/organisations?limit=0&orderBy=name`],
  ]) {
    const { result, growth } = await withMemoryGrowth(pid, () => readCsv(`${url}/v1${path}`, hash, ROWS));
    const { firstByte, whole } = result;
    const row = { csv, 'first byte, ms': firstByte, 'more memory, MB': growth, 'whole, s': whole / 1000 };
    const isMet = firstByte <= FIRST_BYTE_GOAL && growth <= MEMORY_GOAL;
    rows.push(judged(row, { goal: `<= ${FIRST_BYTE_GOAL} ms and ${MEMORY_GOAL} MB`, isMet }));
  }
  return rows;
}

/**
 * Milliseconds until the first byte of a list as csv and until its last; fails where it
 * has fewer lines than rows.
 */
export async function readCsv(url, hash, rows) {
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization: hash, accept: 'text/csv' } });
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  let firstByte;
  let lines = 0;
  for await (const chunk of response.body) {
    firstByte ??= performance.now() - start;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  if (lines < rows) throw new Error(`${url} gave ${lines} lines`);
  return { firstByte, whole: performance.now() - start };
}
