/**
 * Measures a csv of 100,000 organisations: the time to its first byte and the memory that it takes beyond what
 * the service had before. Needs a build (`npm run build`) and Linux.
 *
 *   node bench/csv.mjs
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from './parts/seed.mjs';
import { ADMIN, createDatabase, logIn, startService } from './parts/service.mjs';
import { printTable } from './parts/table.mjs';

const ROWS = 100_000;
/** Milliseconds, and MB. */
const FIRST_BYTE_GOAL = 200;
const MEMORY_GOAL = 50;
const SAMPLE_EVERY = 20;

const require = createRequire(import.meta.url);
const built = (path) => require(join(import.meta.dirname, '../dist', path));

const residentMegabytes = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function measure({ url, pid, hash, path }) {
  const before = residentMegabytes(pid);
  let highest = before;
  const sampling = setInterval(() => (highest = Math.max(highest, residentMegabytes(pid))), SAMPLE_EVERY);
  const start = performance.now();
  const response = await fetch(`${url}/v1${path}`, { headers: { Authorization: hash, Accept: 'text/csv' } });
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  let firstByte;
  let lines = 0;
  for await (const chunk of response.body) {
    firstByte ??= performance.now() - start;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  clearInterval(sampling);
  if (lines < ROWS) throw new Error(`${path} gave ${lines} lines`);
  return { firstByte, seconds: (performance.now() - start) / 1000, memory: highest - before };
}

const judged = (value, goal) => `${value.toFixed(0)} (goal <= ${goal}: ${value <= goal ? 'met' : 'MISSED'})`;

const dataDir = mkdtempSync(join(tmpdir(), 'account-bench-'));
const { startEmbeddedPostgres } = built('libs/core/database/embedded-postgres.js');
const postgres = await startEmbeddedPostgres({ dataDir });
let service;
try {
  const databaseUrl = await createDatabase(postgres.url, 'bench_csv');
  await built('libs/core/jobs/migrate.js').migrate(databaseUrl);
  service = await startService(databaseUrl, 3961, { LIST_LIMIT_MAX: '1000000' });
  const { reseller } = await seed(databaseUrl, ROWS);
  const { url, pid } = service;
  const admin = await logIn(url);
  const resellerHash = await logIn(url, { username: 'reseller@bench.example', password: ADMIN.password });
  // What every kind of request loads once is no part of what a long list takes.
  for (const path of ['/organisations?limit=100', `/organisations/${reseller}/organisations?limit=100`]) {
    for (let time = 0; time < 20; time++) {
      await (
        await fetch(`${url}/v1${path}`, { headers: { Authorization: admin, Accept: 'text/csv' } })
      ).text();
    }
  }
  const rows = [];
  for (const [what, hash, path] of [
    ["admin's organisations", admin, '/organisations?limit=0'],
    ["reseller's organisations", resellerHash, '/organisations?limit=0'],
    ["reseller's sub-organisations", resellerHash, `/organisations/${reseller}/organisations?limit=0`],
    ['the same by name', resellerHash, `/organisations/${reseller}/organisations?limit=0&orderBy=name`],
  ]) {
    const { firstByte, memory, seconds } = await measure({ url, pid, hash, path });
    rows.push({
      csv: what,
      'first byte, ms': judged(firstByte, FIRST_BYTE_GOAL),
      'more memory, MB': judged(memory, MEMORY_GOAL),
      'whole, s': seconds.toFixed(1),
    });
  }
  printTable(rows);
} finally {
  await service?.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
