// npm run check: the quick check while editing, of what changed since the last commit or since the one that is named.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';

const USAGE = `npm run check                 of what is not committed yet
npm run check -- origin/main  of everything since that commit
Types of the whole project and the order of modules; lint, format and unit tests of changed files. Not checked: lint
rules that need types, dead code, Variant A without B, end-to-end tests (npm test; one of them: npm run test:e2e -- test/domains/users.e2e-spec.ts).
`;

const [since = 'HEAD'] = process.argv.slice(2);
console.log(USAGE);
await installWhenMissing();

const changed = changedFiles();
const code = changed.filter((path) => /\.(ts|mjs|cjs|js)$/.test(path));
const tested = code.filter((path) => /^(libs|apps|config|scripts)\/.*\.ts$/.test(path));
console.log(`${changed.length} changed files since ${since}\n`);

const bin = (path) => join(root, 'node_modules', path);
const checks = [
  // Slowest first: two run at a time.
  ['types', bin('typescript-7/bin/tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  [
    'unit tests',
    bin('jest/bin/jest.js'),
    [
      '--selectProjects',
      'unit',
      '--silent',
      '--passWithNoTests',
      '--maxWorkers=1',
      '--findRelatedTests',
      ...tested,
    ],
    tested,
  ],
  [
    'lint',
    bin('eslint/bin/eslint.js'),
    ['--config', 'scripts/eslint-quick.config.mjs', '--no-warn-ignored', ...code],
    code,
  ],
  [
    'module order',
    bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    ['--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'config'],
  ],
  [
    'format',
    bin('prettier/bin/prettier.cjs'),
    ['--check', '--log-level', 'warn', '--ignore-unknown', ...changed],
    changed,
  ],
].filter(([, , , files]) => files === undefined || files.length > 0);

const failed = [];
const started = performance.now();
const worker = async () => {
  for (let check = checks.shift(); check; check = checks.shift()) await runCheck(check);
};
await Promise.all([worker(), worker()]);
console.log(
  `\n${failed.length === 0 ? 'All well' : `FAILED: ${failed.join(', ')}`} (${secondsSince(started)} s)`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runCheck([title, program, args]) {
  const begun = performance.now();
  const { status, output } = await execute(process.execPath, [program, ...args], {
    cwd: root,
    collect: true,
  });
  console.log(`${title.padEnd(13)}${status === 0 ? 'ok' : 'FAILED'}  ${secondsSince(begun)} s`);
  if (status === 0) return;
  failed.push(title);
  console.log(output.trim());
}

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  const paths = [
    ...git('diff', '--name-only', '-z', since),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  return paths.filter((path) => path !== '' && existsSync(join(root, path)));
}

function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}
