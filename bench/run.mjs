/**
 * Measures what the project promises about speed, as ratios between two things measured in the same run:
 * absolute numbers depend on the machine, ratios hardly do. Needs a build (`npm run build`).
 *
 *   npm run bench                 everything
 *   npm run bench -- floor scale  only these parts (floor, scale, logins, memory, abuse, import)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAbuse } from './parts/abuse.mjs';
import { measureFloor } from './parts/floor.mjs';
import { measureImport } from './parts/import.mjs';
import { measureLogins } from './parts/logins.mjs';
import { measureMemory } from './parts/memory.mjs';
import { measureScale } from './parts/scale.mjs';
import { printTable } from './parts/table.mjs';

const PARTS = {
  floor: measureFloor,
  scale: measureScale,
  logins: measureLogins,
  memory: measureMemory,
  abuse: measureAbuse,
  import: measureImport,
};

const require = createRequire(import.meta.url);
const built = (path) => require(join(import.meta.dirname, '../dist', path));

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(', ')}: choose from ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}

const dataDir = mkdtempSync(join(tmpdir(), 'account-bench-'));
const { startEmbeddedPostgres } = built('libs/core/database/embedded-postgres.js');
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  for (const name of chosen.length > 0 ? chosen : Object.keys(PARTS)) {
    console.log(`\n${name}`);
    printTable(await PARTS[name]({ serverUrl: postgres.url, built }));
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
