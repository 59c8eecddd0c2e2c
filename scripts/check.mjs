// npm run check: the quick check while editing, of what changed since the last commit or since the one that is named.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGroups } from './checks.mjs';
import { installWhenMissing, root } from './prepare.mjs';

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

/** A program of a package with its arguments, the files that it looks at among them. */
const command = (program, args, files = []) => [
  process.execPath,
  [join(root, 'node_modules', program), ...args, ...files],
];
const jest = ['--selectProjects', 'unit', '--silent', '--passWithNoTests', '--maxWorkers=1'];
const eslint = ['--config', 'scripts/eslint-quick.config.mjs', '--no-warn-ignored'];
const prettier = ['--check', '--log-level', 'warn', '--ignore-unknown'];
const depcruise = ['--config', '.dependency-cruiser.cjs', 'apps', 'libs', 'config'];
const checks = [
  // Slowest first: two run at a time.
  ['types', command('typescript-7/bin/tsc', ['--noEmit', '-p', 'tsconfig.json'])],
  ['unit tests', command('jest/bin/jest.js', [...jest, '--findRelatedTests'], tested), tested],
  ['lint', command('eslint/bin/eslint.js', eslint, code), code],
  ['module order', command('dependency-cruiser/bin/dependency-cruise.mjs', depcruise)],
  ['format', command('prettier/bin/prettier.cjs', prettier, changed), changed],
]
  .filter(([, , files]) => files === undefined || files.length > 0)
  .map(([title, command]) => ({ name: title, title, command }));
process.exitCode = await runGroups([checks]);

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  const paths = [
    ...git('diff', '--name-only', '-z', since),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  return paths.filter((path) => path !== '' && existsSync(join(root, path)));
}
