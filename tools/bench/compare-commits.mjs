/**
 * What a stranger and an engineer wait for, at two commits: clones both and measures them in turn, so that both have the
 * same machine. Linux; needs npm and a registry.
 *
 *   node tools/bench/compare-commits.mjs BEFORE [AFTER] [--rounds 5] [--tests]
 *
 * AFTER is HEAD unless given; `--tests` runs `npm test` of both as well. Each clone installs with npm's own cache, which a
 * first unmeasured round has filled.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processorTimeOf, residentMegabytes } from './parts/linux-processes.mjs';
import { ADMIN, FLAGS, freePort, logIn } from './parts/service.mjs';
import { median, printTable } from './parts/table.mjs';

const ROOT = join(import.meta.dirname, '../..');
const POLL_MS = 20;
const START_TIMEOUT_MS = 600_000;
/** V8 gives the start's garbage back within it. */
const IDLE_MS = 60_000;
/** Its service is changed, and its tests run. */
const DOMAIN = 'teams';
const NPM_START = ['npm', 'start', '--silent'];
const PLAIN_START = [process.execPath, ...FLAGS, 'scripts/start.mjs'];

const { values: options, positionals: commits } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, tests: { type: 'boolean', default: false } },
});
if (commits.length < 1 || commits.length > 2) {
  console.error('Usage: node tools/bench/compare-commits.mjs BEFORE [AFTER] [--rounds N] [--tests]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'account-compare-'));
const rows = [];
const trees = ['before', 'after'].map((name, index) => clone(name, commits[index] ?? 'HEAD'));
try {
  for (const { path } of trees) install(path);
  await row('first npm start to a login, s', () => inTurn(1, firstLogin));
  await row('packages that npm start installs', () => trees.map(packagesOf));
  await row('their size on disk, MB', () => trees.map(megabytesOf));
  await row('second start to ready, s', () =>
    inTurn(Number(options.rounds), (path) => readyAfter(path, NPM_START)),
  );
  await row('ready without npm, s', () =>
    inTurn(Number(options.rounds), (path) => readyAfter(path, PLAIN_START)),
  );
  await row('one command, s of processor time', () => inTurn(Number(options.rounds), timeOfCommand));
  await row('idle memory after a minute, MB', () => inTurn(1, idleMemory));
  await row('start:dev shows a change, s', () => inTurn(1, changeInDev));
  for (const { path } of trees) installAll(path);
  await row('a changed file to its tests, s', () => inTurn(1, relatedTests));
  if (options.tests) await row('npm test on a clean clone, min', () => inTurn(1, testMinutes));
  printTable(rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function clone(name, commit) {
  const path = join(folder, name);
  // A clone does not have the branches of this repository.
  const id = execFileSync('git', ['rev-parse', '--verify', `${commit}^{commit}`], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim();
  execFileSync('git', ['clone', '--quiet', '--no-checkout', ROOT, path]);
  execFileSync('git', ['checkout', '--quiet', '--detach', id], { cwd: path });
  return { name, path };
}

/** Fills npm's cache and leaves the clone as it was. */
function install(path) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: path, stdio: 'inherit' });
  clean(path);
}

/** What tests need, as `npm test` installs it. */
function installAll(path) {
  execFileSync('npm', ['ci', '--silent'], { cwd: path, stdio: 'inherit' });
}

function clean(path) {
  execFileSync('git', ['clean', '-ffdxq'], { cwd: path });
}

/** The median of each tree; the trees take turns. */
async function inTurn(rounds, measure) {
  const figures = trees.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { path }] of trees.entries()) figures[index].push(await measure(path));
  }
  return figures.map(median);
}

/** Shows a row at once, since all take long; one that cannot be measured at one of the commits says why. */
async function row(what, measure) {
  try {
    const [before, after] = await measure();
    rows.push({ what, before, after, ratio: after / before });
    console.log(`${what}: ${before.toPrecision(4)} to ${after.toPrecision(4)}`);
  } catch (error) {
    console.error(`${what}: ${error.message}`);
  }
}

/** Seconds that the work takes. */
async function secondsOf(work) {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Seconds from a start until it can be used so. */
async function secondsUntil(use, path, command) {
  let service;
  const seconds = await secondsOf(async () => {
    service = await start(path, command);
    await use(service);
  });
  await stop(service);
  return seconds;
}

function readyAfter(path, command) {
  return secondsUntil(isReady, path, command);
}

function firstLogin(path) {
  clean(path);
  return secondsUntil((service) => poll(service, () => logIn(service.url)), path, NPM_START);
}

function packagesOf({ path }) {
  const { packages } = JSON.parse(readFileSync(join(path, 'node_modules/.package-lock.json'), 'utf8'));
  return Object.values(packages).filter(({ link }) => !link).length;
}

function megabytesOf({ path }) {
  return Number(execFileSync('du', ['-sm', join(path, 'node_modules')], { encoding: 'utf8' }).split('\t')[0]);
}

async function timeOfCommand(path) {
  const before = processorTimeOf(process.pid);
  const command = spawn(process.execPath, ['scripts/cli.mjs', 'audit', '--help'], {
    cwd: path,
    stdio: 'ignore',
  });
  await once(command, 'exit');
  return (processorTimeOf(process.pid) - before) / 1e6;
}

async function idleMemory(path) {
  const service = await start(path, PLAIN_START);
  await isReady(service);
  await wait(IDLE_MS);
  const megabytes = residentMegabytes(service.child.pid);
  await stop(service);
  return megabytes;
}

/** From the change of a source until the service that has it is ready. */
async function changeInDev(path) {
  const service = await start(path, ['npm', 'run', '--silent', 'start:dev']);
  await isReady(service);
  const seconds = await secondsOf(async () => {
    change(path);
    while (await isUp(service, 'live')) await wait(POLL_MS);
    await isReady(service);
  });
  await stop(service);
  restore(path);
  return seconds;
}

/** The end-to-end tests of a changed domain; where no command finds them, as somebody runs them who knows their name. */
async function relatedTests(path) {
  change(path);
  // The first run compiles and keeps what it has compiled.
  const commands = [
    ['npm', ['test', '--silent', '--', 'related']],
    ['npx', ['jest', '--selectProjects', 'e2e', '--runTestsByPath', `test/domains/${DOMAIN}.e2e-spec.ts`]],
  ];
  for (const [command, args] of commands) {
    let code;
    const run = async () => (code = await endOf(spawn(command, args, { cwd: path, stdio: 'ignore' })));
    await run();
    const seconds = await secondsOf(run);
    if (code !== 0) continue;
    restore(path);
    return seconds;
  }
  throw new Error(`the tests of ${DOMAIN} fail in ${path}`);
}

function change(path) {
  const files = execFileSync('git', ['ls-files', `libs/**/${DOMAIN}.service.ts`], {
    cwd: path,
    encoding: 'utf8',
  });
  appendFileSync(join(path, files.split('\n')[0]), '// changed\n');
}

function restore(path) {
  execFileSync('git', ['checkout', '--quiet', '.'], { cwd: path });
}

function isUp({ url }, path) {
  return fetch(`${url}/health/${path}`).then(
    (response) => response.arrayBuffer().then(() => response.ok),
    () => false,
  );
}

async function endOf(child) {
  const [code] = await once(child, 'exit');
  return code;
}

async function testMinutes(path) {
  clean(path);
  const seconds = await secondsOf(async () => {
    const code = await endOf(spawn('npm', ['test', '--silent'], { cwd: path, stdio: 'inherit' }));
    if (code !== 0) console.error(`npm test ended with ${code} in ${path}`);
  });
  return seconds / 60;
}

async function start(path, [command, ...args]) {
  const port = await freePort();
  const child = spawn(command, args, {
    cwd: path,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'error',
    },
  });
  return { child, url: `http://127.0.0.1:${port}` };
}

async function stop({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function isReady(service) {
  return poll(service, () => isUp(service, 'ready'));
}

/** Asks until it has worked. */
async function poll({ child }, ask) {
  const endsAt = performance.now() + START_TIMEOUT_MS;
  while (!(await ask().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`the service ended with code ${child.exitCode}`);
    if (performance.now() > endsAt) throw new Error('the service is not ready in time');
    await wait(POLL_MS);
  }
}
