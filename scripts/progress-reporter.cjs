// What npm test shows of jest: a line as each file ends, failures at once. For the summary of all checks it
// leaves counts, the names of failed tests and the seconds of each file in the file that CHECK_REPORT names.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

class ProgressReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.ended = 0;
    this.failures = [];
    this.files = [];
  }

  onTestResult({ path }, result, { numTotalTestSuites }) {
    this.ended += 1;
    const file = relative(this.rootDir, path);
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    const seconds = result.perfStats.runtime / 1000;
    this.files.push({ file, seconds });
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
    if (result.failureMessage) console.log(result.failureMessage);
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

module.exports = ProgressReporter;
