// npm run breaks: breaks one behaviour after the other in a copy of the tree, and says which of its tests saw
// it. `npm run breaks -- 3 17` tries those, `npm run breaks -- contacts` those with this word in their path.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWhenMissing, root } from '../../scripts/prepare.mjs';
import { execute } from '../../scripts/run.mjs';
import { BREAKS } from './breaks.mjs';

const words = process.argv.slice(2);
const isChosen = ({ number, file }) =>
  words.length === 0 ||
  words.some((word) => word === String(number) || (/\D/.test(word) && file.includes(word)));
const chosen = BREAKS.map((one, index) => ({ number: index + 1, ...one })).filter(isChosen);

await installWhenMissing();
const copy = mkdtempSync(join(tmpdir(), 'account-api-breaks-'));
const report = join(copy, 'report.json');
let unseen = 0;
try {
  for (const path of sources()) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const one of chosen) {
    const started = performance.now();
    const seenBy = await seen(one);
    unseen += seenBy === undefined ? 1 : 0;
    const seconds = `${((performance.now() - started) / 1000).toFixed(0)} s`;
    console.log(
      `${String(one.number).padStart(2)} ${seenBy === undefined ? 'NOT SEEN' : 'seen'} (${seconds}): ${one.breaks}`,
    );
    if (seenBy !== undefined) console.log(`   by ${seenBy}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - unseen} of ${chosen.length} seen`);
process.exitCode = unseen === 0 ? 0 : 1;

/** The files of the tree as they are, those that are not committed too. */
function sources() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return paths.filter((path) => existsSync(join(root, path)));
}

/** The first test that fails for the break; undefined where all pass. */
async function seen({ file, line, becomes, tests }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(line)) throw new Error(`${file} has no longer: ${line}`);
  writeFileSync(
    path,
    source.replaceAll(line, () => becomes),
  );
  rmSync(report, { force: true });
  try {
    const { output } = await execute(process.execPath, jestArguments(tests), {
      cwd: copy,
      collect: true,
      env: { ...process.env, CHECK_REPORT: report },
    });
    const { passed, failures } = resultsIn(report, output);
    const [failure] = failures.filter((name) => !name.endsWith('could not run'));
    if (failure === undefined && (failures.length > 0 || passed === 0))
      throw new Error(`The tests did not run:\n${output}`);
    return failure;
  } finally {
    writeFileSync(path, source);
  }
}

/** Ends with the first file in which a test fails. */
function jestArguments(tests) {
  return [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--selectProjects',
    'unit',
    'e2e',
    '--bail',
    '--runInBand',
    `--reporters=${join(root, 'scripts/progress-reporter.cjs')}`,
    '--runTestsByPath',
    ...tests.filter((path) => existsSync(join(root, path))),
  ];
}

function resultsIn(path, output) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`jest left no report:\n${output}`);
  }
}
