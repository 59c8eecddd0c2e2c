// The checks of npm test and how they are run; scripts/test.mjs is the command.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';

const script = (name, ...args) => ['npm', ['run', '--silent', name, '--', ...args]];

/**
 * The tests that watch how long others wait while the service is attacked. They run alone: whatever else runs beside
 * them would be part of the attack.
 */
const WATCHED = '/test/abuse-(guesses|mail|output|tree)\\.';

/**
 * End-to-end tests that take long and seldom have anything to say: of floods of input, large files, whole moves, the
 * operator's commands, other programs (code generators, poolers, the QA command, takers of traces), silent databases,
 * processes that end or are lost. CI runs them; `npm test -- long` does too.
 */
const LONG = `/test/(${[
  ...[
    'abuse-reads',
    'audit-cli',
    'cli',
    'documents',
    'embedded-postgres',
    'explain\\.',
    'frozen-database',
    'fuzz-',
  ],
  ...[
    'generated-clients',
    'graceful-stop',
    'job-runner',
    'killed-process',
    'name-restoration',
    'person',
    'pooler',
  ],
  ...['process', 'qa-', 'read-only-database', 'test-clock', 'tracing'],
].join('|')})`;

/** Checks of one group run two at a time; a group begins when the one before has ended. */
const groups = [
  [
    { name: 'unit', title: 'unit tests', jest: ['--maxWorkers=1'] },
    { name: 'typecheck', title: 'types', command: script('typecheck') },
    { name: 'lint', title: 'lint', command: script('lint') },
    { name: 'dead-code', title: 'dead code', command: script('lint:dead') },
    { name: 'openapi', title: 'OpenAPI rules', command: script('lint:openapi') },
    { name: 'without-b', title: 'without Variant B', command: script('check:without-b') },
    { name: 'format', title: 'format', command: script('format:check') },
    { name: 'modules', title: 'module order', command: script('check:modules') },
  ],
  [{ name: 'e2e', title: 'end-to-end tests', jest: ['--testPathIgnorePatterns', WATCHED, LONG] }],
  [
    {
      name: 'abuse',
      project: 'e2e',
      title: 'tests of abuse',
      jest: ['--runInBand', '--testPathPatterns', WATCHED],
    },
  ],
];

/** Beginnings of the end-to-end tests in which it matters what PostgreSQL it is: of plans, locks, constraints, cursors. */
const OF_DATABASE = [
  ...['access-races', 'audit-cost', 'cli-verify', 'deletions', 'invariants.', 'mail.', 'organisations-'],
  ...['owners', 'personal-data', 'process.', 'queries', 'query-cost', 'registration-races', 'retention'],
  ...['schema', 'short-reads', 'suspensions-tree', 'two-factor-races', 'upgrades'],
];

/** Only by name, for CI. */
const byName = [
  {
    name: 'long',
    project: 'e2e',
    title: 'long tests',
    // They wait for time limits and for processes that they start, half of their time: four beside each other fill two cores.
    jest: ['--maxWorkers=4', '--testPathPatterns', LONG],
  },
  {
    name: 'server',
    project: 'e2e',
    title: 'tests on a server',
    jest: ['--testPathPatterns', `/test/(${OF_DATABASE.join('|').replaceAll('.', '\\.')})`],
  },
  {
    name: 'a-without-b',
    title: 'A without B',
    command: script('check:without-b', '--tests'),
    hasTests: true,
  },
];

/**
 * With REPEAT_FAILED=on, as CI has it: so many files with failures are run once more by themselves, and what passes then
 * is told apart from what fails twice. Not the races: what must happen once has failed when it happened twice, once.
 */
const MAX_REPEATED = 2;
const NEVER_REPEATED = /-races\./;

/** Returns the exit status. */
export async function runChecks(names) {
  const known = [...groups.flat(), ...byName].map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) {
    console.error(`There is no check "${unknown}": choose from ${known.join(', ')}.`);
    return 2;
  }
  if (names.includes('server')) assertFilesOf(OF_DATABASE);
  await installWhenMissing();
  const reports = mkdtempSync(join(tmpdir(), 'account-api-reports-'));
  const chosen = [...groups, ...byName.map((check) => [check])].map((group) =>
    group.filter(({ name }) =>
      names.length === 0 ? !byName.some((check) => check.name === name) : names.includes(name),
    ),
  );
  const results = [];
  try {
    for (const waiting of chosen) {
      const worker = async () => {
        for (let check = waiting.shift(); check; check = waiting.shift()) {
          const report = join(reports, `${check.name}.json`);
          results.push(await repeatFailed(await runCheck(check, report), report));
        }
      };
      await Promise.all([worker(), worker()]);
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  return summarise(results);
}

/** The output of tests is shown as it comes; that of the others, of which a pass says nothing, when they have failed. */
async function runCheck(check, report) {
  const hasTests = check.jest !== undefined || check.hasTests === true;
  console.log(`... ${check.title}`);
  const started = performance.now();
  const [command, args] = check.command ?? jestCommand(check);
  const { status, output } = await execute(command, args, {
    cwd: root,
    collect: !hasTests,
    env: { ...process.env, CHECK_REPORT: report },
  });
  const seconds = (performance.now() - started) / 1000;
  console.log(`--- ${check.title}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`);
  if (status !== 0 && output !== '') console.log(output.trim());
  return { ...check, ok: status === 0, seconds, tests: hasTests ? testsOf(report) : undefined };
}

/** The result of a check after its failed files have been given a second try, where that is asked for. */
async function repeatFailed(result, report) {
  const failures = result.tests?.failures ?? [];
  const files = [...new Set(failures.map((failure) => failure.split(' › ')[0]))];
  const mayRepeat =
    process.env.REPEAT_FAILED === 'on' &&
    result.jest !== undefined &&
    files.length > 0 &&
    files.length <= MAX_REPEATED &&
    files.every((file) => existsSync(join(root, file)) && !NEVER_REPEATED.test(file));
  if (!mayRepeat) return result;
  console.log(`Once more, by themselves: ${files.join(', ')}`);
  const again = await runCheck(
    { ...result, title: `${result.title}, repeated`, jest: ['--runInBand', '--runTestsByPath', ...files] },
    report,
  );
  const seconds = result.seconds + again.seconds;
  if (!again.ok) return { ...result, seconds };
  const tests = { passed: result.tests.passed + failures.length, failures: [], unsteady: failures };
  return { ...result, ok: true, seconds, tests };
}

function jestCommand(check) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const reporter = join(root, 'scripts/progress-reporter.cjs');
  return [
    process.execPath,
    [jest, '--selectProjects', check.project ?? check.name, `--reporters=${reporter}`, ...check.jest],
  ];
}

/** A run without a report counts as one failure. */
function testsOf(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failures: ['the tests did not run to their end'] };
  }
}

/** A beginning that no file has any more would leave what it was to run out in silence. */
function assertFilesOf(beginnings) {
  const files = readdirSync(join(root, 'test'));
  const stale = beginnings.filter((beginning) => !files.some((file) => file.startsWith(beginning)));
  if (stale.length > 0)
    throw new Error(`No file of test/ begins with ${stale.join(', ')}: see scripts/checks.mjs`);
}

function summarise(results) {
  console.log('\nCheck              Result   Seconds');
  for (const { title, ok, seconds, tests } of results) {
    const counts = tests ? `   ${tests.passed} passed, ${tests.failures.length} failed` : '';
    console.log(
      `${title.padEnd(19)}${(ok ? 'ok' : 'FAILED').padEnd(9)}${seconds.toFixed(1).padStart(7)}${counts}`,
    );
  }
  const failedTests = results.flatMap(({ tests }) => tests?.failures ?? []);
  const failures = [
    ...results.filter(({ ok, tests }) => !ok && !tests).map(({ title }) => title),
    ...failedTests,
  ];
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
  const unsteady = results.flatMap(({ tests }) => tests?.unsteady ?? []);
  if (unsteady.length > 0) {
    console.log(
      '\nFailed at first and passed when repeated; each is a defect of the test or of the service:',
    );
    console.log(unsteady.map((failure) => `  ${failure}`).join('\n'));
  }
  const passed = results.reduce((sum, { tests }) => sum + (tests?.passed ?? 0), 0);
  console.log(`\n${passed} passed, ${failedTests.length} failed`);
  return results.every(({ ok }) => ok) ? 0 : 1;
}
