// The checks of npm test and how they are run; scripts/test.mjs is the command.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chosenTests } from './chosen-tests.cjs';
import { installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';
import { printTimes } from './times.mjs';

const script = (name, ...args) => ['npm', ['run', '--silent', name, '--', ...args]];

/**
 * Tests that measure how long others wait during an attack. They run alone: other work
 * would change their figures.
 */
const WATCHED = '/test/(?:[^/]+/)?abuse/';

/**
 * What takes long, or guards the whole rather than one domain or route: `npm test -- long` runs it, and CI
 * with FULL=1.
 */
const LONG = '/test/(?:(?:operations|cli|tools)/|[^/]+/long/|.*-races\\.)';

/**
 * Those of the long tests that CI runs each time, since each of them soon shows what nothing else does: what
 * counts once however many ask (codes, links, keys, names, invitations), the deletions and the tree beside
 * other requests, the command line, imports, and a start with its settings.
 */
const FIRST_LONG = [
  '/(?:deletions|idempotency|login-links|one-wins|registration|tree|two-factor)-races\\.',
  '/cli/(?:cli|cli-import-organisations|cli-import-users)\\.',
  '/operations/(?:npm-start|schema-digests|start)\\.',
];

/**
 * A test and its service wait for PostgreSQL, and some for time to pass: three workers keep two cores busy.
 */
const WORKERS = '--maxWorkers=3';

/** Checks of one group run two at a time; a group begins when the one before has ended. */
const groups = [
  [
    // What fails most and answers soonest comes first.
    { name: 'typecheck', title: 'types', command: script('typecheck') },
    { name: 'lint-types', title: 'lint by types', command: script('lint:types') },
    { name: 'unit', title: 'unit tests', jest: ['--maxWorkers=1'] },
    {
      name: 'lint',
      title: 'lint',
      command: script('lint'),
      // Without what earlier runs found, so that each rule runs on each file.
      timed: ['npx', ['eslint', '.']],
    },
    { name: 'format', title: 'format', command: script('format:check') },
    { name: 'modules', title: 'module order', command: script('check:modules') },
    { name: 'openapi', title: 'OpenAPI rules', command: script('lint:openapi') },
    { name: 'dead-code', title: 'dead code', command: script('lint:dead') },
  ],
  [
    {
      name: 'e2e',
      title: 'end-to-end tests',
      jest: [WORKERS, '--testPathIgnorePatterns', WATCHED, LONG],
    },
  ],
];

const IS_FULL = process.env.FULL === '1';

/**
 * Tests whose outcome depends on the PostgreSQL: migrations, statements, constraints, cursors, orders of
 * letters; with FULL=1 also plans and locks.
 */
const OF_DATABASE = [
  '/test/database/[^/]+$',
  '/(?:organisations-lists|organisations-tree|suspensions-tree|retention)\\.',
  ...(IS_FULL ? ['/test/database/', '/[^/]+-(?:races|cost|looks)\\.', '/mail/long/mail(?:-turns)?\\.'] : []),
];

/** The server of `npm test -- server`, where the other checks have a throw-away one. */
const { SERVER_DATABASE_URL } = process.env;

/** Only by name, for `.ci/run`; grouped as above. CONTRIBUTING.md says which of them run for each change. */
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
    {
      name: 'first-long',
      projects: ['e2e'],
      title: 'first long tests',
      jest: [WORKERS, '--testPathPatterns', ...FIRST_LONG],
    },
  ],
  [
    {
      name: 'server',
      projects: ['e2e'],
      title: 'tests on a server',
      // All databases of a server share its table of locks: two files that plant thousands of rows fill it.
      jest: [IS_FULL ? '--maxWorkers=1' : WORKERS, '--testPathPatterns', ...OF_DATABASE],
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
  const { tests, unknown } = chosenTests(words);
  if (unknown.length > 0) {
    const choice = [...known, 'related'].join(', ');
    console.error(`"${unknown[0]}" is no check and in the path of no test. The checks are ${choice}.`);
    return undefined;
  }
  if (words.length > 0 && tests.length === 0)
    console.log('No test lies beside a file that is not committed.');
  const ofWords = {
    name: 'words',
    projects: ['unit', 'e2e'],
    title: `tests of ${words.join(', ')}`,
    jest: [WORKERS, '--runTestsByPath', ...tests],
  };
  return [
    ...all.map((group) => group.filter(({ name }) => names.includes(name))),
    tests.length > 0 ? [ofWords] : [],
  ];
}

/** The seconds of the last run of each check here in which all was well, by name. */
const LAST_SECONDS = join(root, 'node_modules/.cache/check-seconds.json');

function lastSeconds() {
  try {
    return JSON.parse(readFileSync(LAST_SECONDS, 'utf8'));
  } catch {
    return {};
  }
}

/** Not of chosen tests, which are others each time. */
function keepSeconds(results) {
  const kept = results.filter(({ ok, name }) => ok && name !== 'words');
  const seconds = Object.fromEntries(kept.map((result) => [result.name, Math.round(result.seconds)]));
  mkdirSync(dirname(LAST_SECONDS), { recursive: true });
  writeFileSync(LAST_SECONDS, JSON.stringify({ ...lastSeconds(), ...seconds }));
}

/** Runs the checks that the words choose; `--times` says what their time goes to. Returns the exit status. */
export async function runChecks(words) {
  const times = words.includes('--times');
  const chosen = checksOf(words.filter((word) => word !== '--times'));
  if (chosen === undefined) return 2;
  await installWhenMissing();
  if (words.length === 0)
    console.log(
      'Every check but the long tests and those of abuse: five minutes on two free cores. A failure is shown when it happens.',
    );
  return runGroups(chosen, times);
}

/**
 * Runs checks, of which each has a name, a title and a command, and sums them up. Returns the exit status.
 */
async function runGroups(checks, times) {
  const reports = mkdtempSync(join(tmpdir(), 'account-api-reports-'));
  // Read by the tests and by the reporter; TIMING by eslint.
  const env = times ? { TEST_TIMES: reports, TIMING: '12' } : {};
  const results = [];
  const before = lastSeconds();
  try {
    for (const group of checks) {
      const waiting = [...group];
      const worker = async () => {
        for (let check = waiting.shift(); check; check = waiting.shift()) {
          const report = join(reports, `${check.name}.json`);
          results.push(await runCheck(check, { report, env, times, before: before[check.name] }));
        }
      };
      await Promise.all([worker(), worker()]);
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  keepSeconds(results);
  if (times) printTimes(results);
  return summarise(results);
}

/** Shows the output of tests at once, and the output of other checks only if they fail. */
async function runCheck(check, { report, env, times, before }) {
  const hasTests = check.jest !== undefined || check.hasTests === true;
  console.log(`... ${check.title}${before === undefined ? '' : ` (last time ${before} s)`}`);
  const started = performance.now();
  const [command, args] = (times && check.timed) || check.command || jestCommand(check, times);
  const { status, output } = await execute(command, args, {
    cwd: root,
    collect: !hasTests,
    env: { ...process.env, ...env, ...check.env, CHECK_REPORT: report },
  });
  const seconds = (performance.now() - started) / 1000;
  console.log(`--- ${check.title}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`);
  if ((status !== 0 || (times && check.timed)) && output !== '') console.log(output.trim());
  if (status !== 0 && !hasTests) console.log(`Alone: npm test -- ${check.name}`);
  return { ...check, ok: status === 0, seconds, tests: hasTests ? testsOf(report) : undefined };
}

function jestCommand(check, times) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const reporter = join(root, 'scripts/progress-reporter.cjs');
  return [
    process.execPath,
    [
      jest,
      '--selectProjects',
      ...(check.projects ?? [check.name]),
      `--reporters=${reporter}`,
      `--setupFiles=${join(root, 'test/support/service/quick-exit.cjs')}`,
      ...(times ? [`--setupFilesAfterEnv=${join(root, 'test/support/service/times.ts')}`] : []),
      ...check.jest,
    ],
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
