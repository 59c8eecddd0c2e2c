// The checks of npm test and how they are run; scripts/test.mjs is the command.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';

const script = (name, ...args) => ['npm', ['run', '--silent', name, '--', ...args]];

/**
 * Tests that measure how long others wait during an attack. They run alone: other work
 * would change their figures.
 */
const WATCHED = '/test/security/abuse/';

/**
 * What takes long, or guards the whole rather than one domain or route: CI runs it, and `npm test -- long`.
 */
const LONG = '/test/(operations|cli|tools|races|[^/]+/long)/';

/**
 * A test and its service wait for PostgreSQL, and some for time to pass: three workers keep two cores busy.
 */
const WORKERS = '--maxWorkers=3';

/** Checks of one group run two at a time; a group begins when the one before has ended. */
const groups = [
  [
    // The quick answer first, then the longest.
    { name: 'typecheck', title: 'types', command: script('typecheck') },
    { name: 'lint', title: 'lint', command: script('lint') },
    { name: 'unit', title: 'unit tests', jest: ['--maxWorkers=1'] },
    { name: 'format', title: 'format', command: script('format:check') },
    { name: 'dead-code', title: 'dead code', command: script('lint:dead') },
    { name: 'modules', title: 'module order', command: script('check:modules') },
    { name: 'openapi', title: 'OpenAPI rules', command: script('lint:openapi') },
  ],
  [
    {
      name: 'e2e',
      title: 'end-to-end tests',
      jest: [WORKERS, '--testPathIgnorePatterns', WATCHED, LONG],
    },
  ],
];

/**
 * Tests whose outcome depends on the PostgreSQL: migrations, statements, plans, constraints,
 * cursors; with `FULL=1` locks too.
 */
const OF_DATABASE = process.env.FULL === '1' ? '/test/(database|races)/' : '/test/database/';

/** The server of `npm test -- server`, where the other checks have a throw-away one. */
const { SERVER_DATABASE_URL } = process.env;

/** Only by name, for CI; grouped as above. */
const byName = [
  [
    {
      name: 'long',
      projects: ['e2e'],
      title: 'long tests',
      // They wait for timeouts and child processes: four workers fill two cores, and anything beside
      // them lets time limits pass.
      jest: ['--maxWorkers=4', '--testPathPatterns', LONG],
    },
  ],
  [
    {
      name: 'server',
      projects: ['e2e'],
      title: 'tests on a server',
      jest: [WORKERS, '--testPathPatterns', OF_DATABASE],
      env: SERVER_DATABASE_URL && { TEST_DATABASE_URL: SERVER_DATABASE_URL },
    },
    {
      name: 'a-without-b',
      title: 'A without B',
      command: script('check:without-b', '--tests'),
      hasTests: true,
    },
    {
      name: 'node-26',
      title: 'on Node 26',
      command: [process.execPath, [join(root, 'scripts/node26.mjs')]],
      hasTests: true,
    },
    {
      name: 'without-b',
      title: 'without Variant B',
      command: script('check:without-b'),
    },
  ],
  [
    {
      name: 'abuse',
      projects: ['e2e'],
      title: 'tests of abuse',
      jest: ['--runInBand', '--testPathPatterns', WATCHED],
    },
  ],
];

/**
 * The checks that names on the command line choose, in the groups in which they run; undefined
 * where a name means nothing.
 */
function checksOf(names) {
  if (names.length === 0) return groups;
  const all = [...groups, ...byName];
  const known = all.flat().map(({ name }) => name);
  const words = names.filter((name) => !known.includes(name));
  const chosenTests = new Map(
    words.map((word) => [word, word === 'related' ? relatedTests() : testsWith(word)]),
  );
  const withoutTest = words.find((word) => word !== 'related' && chosenTests.get(word).length === 0);
  if (withoutTest !== undefined) {
    const choice = [...known, 'related'].join(', ');
    console.error(`"${withoutTest}" is no check and in the path of no test. The checks are ${choice}.`);
    return undefined;
  }
  if (chosenTests.get('related')?.length === 0) {
    console.log('No test lies beside a file that is not committed.');
    chosenTests.delete('related');
  }
  const ofWords = [...chosenTests].map(([word, tests]) => ({
    name: 'words',
    projects: ['unit', 'e2e'],
    title: `tests of ${word}`,
    jest: ['--runTestsByPath', ...tests],
  }));
  return [
    ...all.map((group) => group.filter(({ name }) => names.includes(name))),
    ...ofWords.map((check) => [check]),
  ];
}

/** The tests whose path below the root has this word. */
const testsWith = (word) => testFiles().filter((path) => path.includes(word));

const testFiles = () =>
  ['apps', 'config', 'libs', 'scripts', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((path) => path.endsWith('spec.ts'))
      .map((path) => join(folder, path)),
  );

/**
 * The tests nearest to the files that are not committed: those in their folder of `libs`, `apps` or
 * `scripts`, the end-to-end tests with its name, and changed tests. Undefined where there are none.
 */
function relatedTests() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const folders = changed
    .filter((path) => !path.startsWith('test/'))
    .map((path) => dirname(path).split('/').slice(0, 3).join('/'));
  const domains = folders.map((folder) => basename(folder));
  return testFiles().filter((path) => {
    if (changed.includes(path)) return true;
    if (!path.startsWith('test/')) return folders.some((folder) => path.startsWith(`${folder}/`));
    return domains.includes(basename(path).split('.')[0]);
  });
}

/** Runs the checks that the names choose. Returns the exit status. */
export async function runChecks(names) {
  const chosen = checksOf(names);
  if (chosen === undefined) return 2;
  await installWhenMissing();
  return runGroups(chosen);
}

/**
 * Runs checks, of which each has a name, a title and a command, and sums them up. Returns the exit status.
 */
async function runGroups(checks) {
  const reports = mkdtempSync(join(tmpdir(), 'account-api-reports-'));
  const results = [];
  try {
    for (const group of checks) {
      const waiting = [...group];
      const worker = async () => {
        for (let check = waiting.shift(); check; check = waiting.shift()) {
          const report = join(reports, `${check.name}.json`);
          results.push(await runCheck(check, report));
        }
      };
      await Promise.all([worker(), worker()]);
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  return summarise(results);
}

/** Shows the output of tests at once, and the output of other checks only if they fail. */
async function runCheck(check, report) {
  const hasTests = check.jest !== undefined || check.hasTests === true;
  console.log(`... ${check.title}`);
  const started = performance.now();
  const [command, args] = check.command ?? jestCommand(check);
  const { status, output } = await execute(command, args, {
    cwd: root,
    collect: !hasTests,
    env: { ...process.env, ...check.env, CHECK_REPORT: report },
  });
  const seconds = (performance.now() - started) / 1000;
  console.log(`--- ${check.title}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`);
  if (status !== 0 && output !== '') console.log(output.trim());
  return { ...check, ok: status === 0, seconds, tests: hasTests ? testsOf(report) : undefined };
}

function jestCommand(check) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const reporter = join(root, 'scripts/progress-reporter.cjs');
  return [
    process.execPath,
    [jest, '--selectProjects', ...(check.projects ?? [check.name]), `--reporters=${reporter}`, ...check.jest],
  ];
}

/** A run without a report counts as one failure. */
function testsOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failures: ['the tests did not run to their end'], files: [] };
  }
}

function summarise(results) {
  console.log('\nCheck              Result   Seconds');
  for (const { title, ok, seconds, tests } of results) {
    const counts = tests ? `   ${tests.passed} passed, ${tests.failures.length} failed` : '';
    console.log(
      `${title.padEnd(19)}${(ok ? 'ok' : 'FAILED').padEnd(9)}${seconds.toFixed(1).padStart(7)}${counts}`,
    );
  }
  const slowest = results
    .flatMap(({ tests }) => tests?.files ?? [])
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10);
  if (slowest.length > 0) console.log('\nSlowest test files    Seconds');
  for (const { file, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(29)}  ${file}`);
  const failedTests = results.flatMap(({ tests }) => tests?.failures ?? []);
  const failures = [
    ...results.filter(({ ok, tests }) => !ok && !tests).map(({ title }) => title),
    ...failedTests,
  ];
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
  const passed = results.reduce((sum, { tests }) => sum + (tests?.passed ?? 0), 0);
  if (results.some(({ tests }) => tests)) console.log(`\n${passed} passed, ${failedTests.length} failed`);
  return results.every(({ ok }) => ok) ? 0 : 1;
}
