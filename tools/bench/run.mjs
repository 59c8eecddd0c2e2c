/**
 * Measures what the project promises about speed, as ratios between two things measured in the same run:
 * absolute numbers depend on the machine, ratios hardly do. Installs and builds first what is missing.
 *
 *   npm run bench                  everything but comparable
 *   npm run bench -- floor logins  only these parts: those of PARTS below
 *   npm run bench -- comparable --seconds 60    each row for a minute instead of ten
 *
 * Each line has its goal and a verdict; lines without are figures for docs/database.md. What was measured is
 * also written to bench-results.json, or where `--json FILE` says.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { assertNodeVersion } from '../../scripts/node-version.mjs';
import { buildWhenStale, installWhenMissing } from '../../scripts/prepare.mjs';
import { readWords, refuse } from '../../scripts/words.mjs';
import { printTable, printVerdicts } from './parts/table.mjs';

/**
 * Each has a file in `parts` that exports `measures`: functions that give rows, each on a stage of its own.
 */
const PARTS = ['floor', 'logins', 'million', 'mails', 'comparable'];
/** Only by name: it takes almost two hours. */
const BY_NAME = ['comparable'];

const require = createRequire(import.meta.url);
const built = (path) => require(join(import.meta.dirname, '../../dist', path));

const { values: options, positionals: chosen } = readWords(
  'npm run bench -- [PART]… [--seconds NUMBER] [--json FILE]',
  {
    words: Infinity,
    options: { json: { type: 'string', default: 'bench-results.json' }, seconds: { type: 'string' } },
  },
);
const unknown = chosen.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) refuse(`Unknown part ${unknown.join(', ')}, of ${PARTS.join(', ')}`);

assertNodeVersion();
await installWhenMissing();
await buildWhenStale();
const { postgresPidOf, withClient } = await import('./parts/database.mjs');
const { takeWarnings } = await import('./parts/service.mjs');
const { Stage } = await import('./parts/stage.mjs');
const dataDir = mkdtempSync(join(tmpdir(), 'account-bench-'));
const { startEmbeddedPostgres } = built('libs/embedded-postgres/embedded-postgres.js');
const postgres = await startEmbeddedPostgres({ dataDir });
const { rows } = await withClient(postgres.url, (client) => client.query('SHOW server_version'));
const machine = {
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? 'unknown',
  memoryMegabytes: Math.round(totalmem() / 1e6),
  platform: process.platform,
  node: process.version,
  postgres: rows[0].server_version,
};
/** Runs on interruption too: a server that went on would keep its disk. */
async function stopPostgres() {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void stopPostgres().then(() => process.exit(1)));
}

async function rowsOf(part) {
  const { measures } = await import(`./parts/${part}.mjs`);
  const rows = [];
  for (const measure of measures) {
    const stage = new Stage({
      postgres: { url: postgres.url, pid: postgresPid },
      built,
      seconds: options.seconds,
    });
    try {
      rows.push(...(await measure(stage)));
    } finally {
      await stage.close();
    }
  }
  return rows;
}

const postgresPid = await postgresPidOf(postgres.url);
const results = {};
try {
  const unnamed = PARTS.filter((name) => !BY_NAME.includes(name));
  for (const name of chosen.length > 0 ? chosen : unnamed) {
    console.log(`\n${name}`);
    try {
      results[name] = await rowsOf(name);
    } catch (error) {
      // A failed part does not lose the figures of the others.
      results[name] = [{ failed: error.message }];
      for (const line of takeWarnings()) console.error(line);
      process.exitCode = 1;
    }
    printTable(results[name]);
  }
} finally {
  await stopPostgres();
  const report = { at: new Date().toISOString(), machine, results };
  writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`);
  printVerdicts(results);
  console.log(`Also written to ${options.json}`);
}
