// What npm test shows of jest: a line as each file ends, a failure when it happens, with the command that
// runs it alone. For the summary of all checks it leaves counts, the names of failed tests and the seconds
// of each file in the file that CHECK_REPORT names; with TEST_TIMES also what the time of each file went to
// (test/support/service/times.ts).
const { readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

class ProgressReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.ended = 0;
    this.failures = [];
    this.files = [];
    /** Full names of the failed tests that were shown, by path. */
    this.shown = new Map();
  }

  onTestCaseResult({ path }, { status, fullName, failureMessages }) {
    if (status !== 'failed') return;
    const file = relative(this.rootDir, path);
    this.shown.set(path, [...(this.shown.get(path) ?? []), fullName]);
    console.log(`FAILED ${file} › ${fullName}`);
    for (const message of failureMessages) console.log(message);
    console.log(`Alone: ${commandFor(file, fullName)}`);
  }

  onTestResult({ path }, result, { numTotalTestSuites }) {
    this.ended += 1;
    const file = relative(this.rootDir, path);
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    const seconds = result.perfStats.runtime / 1000;
    this.files.push({ file, seconds, ...timesOf(path) });
    const isOk = failed.length === 0 && !result.testExecError;
    // Unit tests take a second for all files, beside other checks: only their failures are worth a line.
    if (!isOk || result.displayName?.name !== 'unit') {
      const counts = isOk
        ? `${result.numPassingTests} passed`
        : result.testExecError
          ? 'could not run'
          : `${failed.length} failed`;
      const position = String(this.ended).padStart(String(numTotalTestSuites).length);
      console.log(
        `[${position}/${numTotalTestSuites}] ${file} ${isOk ? 'ok' : 'FAILED'} ${seconds.toFixed(1)} s, ${counts}`,
      );
    }
    if (isOk) return;
    for (const { message } of result.console ?? []) console.log(message);
    // What happened outside of the tests that were shown.
    const isShown = failed.length > 0 && this.shown.get(path)?.length === failed.length;
    if (result.failureMessage && (result.testExecError || !isShown)) console.log(result.failureMessage);
    // A file that cannot be loaded has no tests: it counts as one failure.
    const names = failed.map(({ fullName }) => fullName);
    this.failures.push(...(names.length > 0 ? names : ['could not run']).map((name) => `${file} › ${name}`));
  }

  onRunComplete(_, { numPassedTests }) {
    const { CHECK_REPORT: report } = process.env;
    if (!report) return;
    const { failures, files } = this;
    writeFileSync(report, JSON.stringify({ passed: numPassedTests, failures, files }));
  }
}

/** The command of CONTRIBUTING.md. The name is a pattern. */
function commandFor(file, name) {
  // Jest tells of the first project for the tests of all, where it runs several.
  const project = file.endsWith('.e2e-spec.ts') ? 'e2e' : 'unit';
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", '.');
  return `npm run test:${project} -- ${file} -t '${pattern}'`;
}

/** The milliseconds of each part. */
function timesOf(path) {
  const { TEST_TIMES: folder } = process.env;
  if (!folder) return {};
  const report = join(folder, `${path.replaceAll(/[^\w.-]/g, '!')}.json`);
  try {
    const { spent, processor } = JSON.parse(readFileSync(report, 'utf8'));
    rmSync(report);
    return { spent, processor };
  } catch {
    return {};
  }
}

module.exports = ProgressReporter;
