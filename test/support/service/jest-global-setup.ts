import './jest-aliases';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, stopAbandonedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { migrate } from '@app/migrations/migrate';
import { dropDatabases, runStatement, testDatabaseName, urlOfDatabase } from './databases';
import tearDownDatabases, { rememberForTeardown } from './jest-global-teardown';

const CLUSTER_PREFIX = 'account-api-scratch-';

/** One throw-away cluster a run, or the server of TEST_DATABASE_URL; migrated once into a template. */
export default async function setUpDatabases(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // jest would end without the teardown.
    process.once(signal, () => void tearDownDatabases().finally(() => process.exit(1)));
  }
  try {
    await prepare();
  } catch (error) {
    // jest does not call the teardown after a failed set-up.
    await tearDownDatabases();
    throw error;
  }
}

async function prepare(): Promise<void> {
  const serverUrl = process.env.TEST_DATABASE_URL || (await startThrowawayCluster());
  const run = `${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString('hex')}`;
  rememberForTeardown(() => dropDatabases(serverUrl, (name) => name.startsWith(testDatabaseName(run, ''))));
  await dropDatabases(serverUrl, isLeftOver);
  const template = testDatabaseName(run, 'template');
  await runStatement(serverUrl, `CREATE DATABASE ${template}`);
  await migrate(urlOfDatabase(serverUrl, template));
  // Inherited by the workers of jest.
  process.env.TEST_SERVER_URL = serverUrl;
  process.env.TEST_RUN = run;
}

async function startThrowawayCluster(): Promise<string> {
  await removeAbandonedClusters();
  const dataDir = mkdtempSync(join(tmpdir(), CLUSTER_PREFIX));
  rememberForTeardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const cluster = await startEmbeddedPostgres({ dataDir, durable: false });
  rememberForTeardown(() => cluster.stop());
  if (process.env.TEST_TIMES !== undefined) rememberForTeardown(() => printTimeOf(dataDir));
  return cluster.url;
}

/** `npm test -- --times`: the server is no child of jest, so no file's processor time holds its own. */
function printTimeOf(dataDir: string): void {
  const [pid] = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n');
  const stat = `/proc/${pid}/stat`;
  // Linux alone has it.
  if (!existsSync(stat)) return;
  // Behind the name, which ends with a bracket: the server's own time, and that of its processes that have
  // ended, in hundredths of a second.
  const fields = readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ').slice(11, 15) ?? [];
  const seconds = fields.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  process.stdout.write(`PostgreSQL: ${seconds.toFixed(1)} s of processor\n`);
}

/** Of runs that were killed. Those of another user are left alone. */
async function removeAbandonedClusters(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(CLUSTER_PREFIX))) {
    const dataDir = join(tmpdir(), name);
    try {
      // A young one may belong to a run that is just starting.
      if (Date.now() - statSync(dataDir).birthtimeMs < 120_000) continue;
      if (await stopAbandonedPostgres(dataDir)) rmSync(dataDir, { recursive: true, force: true });
    } catch {
      // In use, or not ours.
    }
  }
}

/** A killed run on a lasting server leaves its databases; no run takes a day. */
function isLeftOver(name: string): boolean {
  const startedAt = Number(/_(\d+)_/.exec(name)?.[1] ?? NaN);
  return startedAt < Date.now() / 1000 - 86_400;
}
