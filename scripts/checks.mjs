import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';

const script = (name) => ['npm', ['run', '--silent', name]];

/** Checks of one group run two at a time; a group begins when the one before has ended. */
const groups = [
  [
    { name: 'unit', title: 'unit tests', jest: ['--maxWorkers=1'] },
    { name: 'typecheck', title: 'types', command: script('typecheck') },
    { name: 'lint', title: 'lint', command: script('lint') },
    { name: 'format', title: 'format', command: script('format:check') },
    { name: 'modules', title: 'module order', command: script('check:modules') },
  ],
  [{ name: 'e2e', title: 'end-to-end tests', jest: [] }],
];

/**
 * The end-to-end tests whose outcome can depend on the PostgreSQL that they run on: without those of what comes
 * before it (paths, bodies, fuzzing), of formats, of processes and of documents. Only by name, for a second run in CI.
 */
const onAnotherServer = {
  name: 'server',
  project: 'e2e',
  title: 'tests on a server',
  jest: [
    '--testPathIgnorePatterns',
    '/test/(hostile|access-paths|access-docs|matrix|laws|cli|audit-cli|csv|sshkeys|embedded|openapi|operation|contract-|routes)',
  ],
};

/** Returns the exit status. */
export async function runChecks(names) {
  const runnable = names.includes(onAnotherServer.name) ? [...groups, [onAnotherServer]] : groups;
  const known = [...groups.flat(), onAnotherServer].map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) {
    console.error(`There is no check "${unknown}": choose from ${known.join(', ')}.`);
    return 2;
  }
  await installWhenMissing();
  const reports = mkdtempSync(join(tmpdir(), 'account-api-reports-'));
  const results = [];
  try {
    for (const group of runnable) {
      const waiting = group.filter(({ name }) => names.length === 0 || names.includes(name));
      const worker = async () => {
        for (let check = waiting.shift(); check; check = waiting.shift()) {
          results.push(await runCheck(check, join(reports, `${check.name}.json`)));
        }
      };
      await Promise.all([worker(), worker()]);
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
  return summarise(results);
}

async function runCheck(check, report) {
  const started = performance.now();
  const [command, args] = check.command ?? jestCommand(check, report);
  const { status, output } = await execute(command, args, { cwd: root, collect: true });
  const seconds = (performance.now() - started) / 1000;
  console.log(`--- ${check.title}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`);
  if (check.jest || status !== 0) console.log(output.trim());
  return { ...check, ok: status === 0, seconds, counts: check.jest ? readCounts(report) : undefined };
}

function jestCommand(check, report) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = [
    '--selectProjects',
    check.project ?? check.name,
    '--json',
    `--outputFile=${report}`,
    ...check.jest,
  ];
  return [process.execPath, [jest, ...args]];
}

/** A test file that cannot even be loaded counts as one failure, and so does a run without a report. */
function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function summarise(results) {
  console.log('\nCheck              Result   Seconds');
  for (const { title, ok, seconds, counts } of results) {
    const tests = counts ? `   ${counts.passed} passed, ${counts.failed} failed` : '';
    console.log(
      `${title.padEnd(19)}${(ok ? 'ok' : 'FAILED').padEnd(9)}${seconds.toFixed(1).padStart(7)}${tests}`,
    );
  }
  const sum = (key) => results.reduce((total, { counts }) => total + (counts?.[key] ?? 0), 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return results.every(({ ok }) => ok) ? 0 : 1;
}
