import { resolve } from 'node:path';
import ProgressReporter from './progress-reporter.cjs';

const ROOT = resolve(__dirname, '..');
const PATH = `${ROOT}/test/contacts/contacts.e2e-spec.ts`;
/** As jest tells of it where it runs unit tests too. */
const TEST = { path: PATH, context: { config: { displayName: { name: 'unit' } } } };
const NAME = "contacts in Variant A keep (and show) the owner's name";

const failed = { status: 'failed', fullName: NAME, failureMessages: ['Error: not the name'] };
const passed = { status: 'passed', fullName: 'contacts are there', failureMessages: [] };
const fileWith = (...testResults: object[]) => ({
  testResults,
  perfStats: { runtime: 1000 },
  displayName: { name: 'e2e' },
  numPassingTests: 1,
  failureMessage: 'every failure of the file',
});

describe('what npm test shows of a test that fails', () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  });
  afterEach(() => jest.restoreAllMocks());

  it('comes when it happens, with the command that runs it alone', () => {
    const reporter = new ProgressReporter({ rootDir: ROOT });
    reporter.onTestCaseResult(TEST, passed);
    expect(lines).toEqual([]);
    reporter.onTestCaseResult(TEST, failed);
    expect(lines).toEqual([
      `FAILED test/contacts/contacts.e2e-spec.ts › ${NAME}`,
      'Error: not the name',
      "Alone: npm run test:e2e -- test/contacts/contacts.e2e-spec.ts -t 'contacts in Variant A keep \\(and show\\) the owner.s name'",
    ]);
  });

  it('is not shown again when its file ends', () => {
    const reporter = new ProgressReporter({ rootDir: ROOT });
    reporter.onTestCaseResult(TEST, failed);
    reporter.onTestResult(TEST, fileWith(passed, failed), { numTotalTestSuites: 3 });
    expect(lines.at(-1)).toBe('[1/3] test/contacts/contacts.e2e-spec.ts FAILED 1.0 s, 1 failed');
  });

  it('is shown at the end of its file where the file cannot run', () => {
    const reporter = new ProgressReporter({ rootDir: ROOT });
    const broken = { ...fileWith(), testExecError: new Error('no such module') };
    reporter.onTestResult(TEST, broken, { numTotalTestSuites: 3 });
    expect(lines).toEqual([
      '[1/3] test/contacts/contacts.e2e-spec.ts FAILED 1.0 s, could not run',
      'every failure of the file',
    ]);
  });
});
