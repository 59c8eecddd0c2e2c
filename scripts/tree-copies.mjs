// Copies of this tree, from which a check removes something: Variant B (without-b.mjs), a domain
// (without-domain.mjs).
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { execute } from './run.mjs';

/** What git knows or would add in this tree: no build, no data. */
export const listFiles = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    // A file that was deleted and not yet committed is listed too.
    .filter((path) => path !== '' && existsSync(join(root, path)));

/** Git knows no empty folders, but architecture.spec.ts does. */
export function removeFile(path) {
  rmSync(path, { force: true });
  for (let folder = dirname(path); readdirSync(folder).length === 0; folder = dirname(folder)) {
    rmdirSync(folder);
  }
}

/** Copies the tree with its packages, runs the work there, and deletes the copy. */
export async function inCopy(name, work) {
  // Here, where the packages are: from the copy npm would empty this folder, to which its link leads.
  await installWhenMissing();
  const copy = mkdtempSync(join(tmpdir(), `account-api-${name}-`));
  try {
    const paths = listFiles();
    for (const path of paths) cpSync(join(root, path), join(copy, path));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    await work(copy, paths);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Those of the paths whose files are in the copy, but with another text. */
export const changedIn = (copy, paths) =>
  paths.filter(
    (path) =>
      existsSync(join(copy, path)) && !readFileSync(join(copy, path)).equals(readFileSync(join(root, path))),
  );

const bin = (name, ...args) => [process.execPath, [join('node_modules', name), ...args]];

export const TYPES = [
  'types',
  bin('typescript-7/bin/tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.json'),
];
export const DEAD_CODE = [
  ['dead code', bin('knip/bin/knip.js', '--no-progress')],
  ['dead code of production', bin('knip/bin/knip.js', '--no-progress', '--production')],
];
export const MODULE_ORDER = ['module order', ['npm', ['run', '--silent', 'check:modules']]];

export const jest = (...args) =>
  bin('jest/bin/jest.js', `--reporters=${join(root, 'scripts/progress-reporter.cjs')}`, ...args);
export const prettier = (...args) =>
  bin('prettier/bin/prettier.cjs', '--log-level', 'warn', '--ignore-unknown', ...args);
export const eslint = (...args) => bin('eslint/bin/eslint.js', '--no-warn-ignored', ...args);
export const oxlint = bin('oxlint/bin/oxlint', '--type-aware', '--quiet', '.');

/** Runs steps in a copy, each with a title. A failed one sets the exit status, and the next go on. */
export async function runSteps(copy, steps, { collect = true } = {}) {
  for (const [title, [command, args]] of steps) {
    const { status, output } = await execute(command, args, { cwd: copy, collect });
    console.log(`${title}: ${status === 0 ? 'ok' : `FAILED\n${output}`}`);
    if (status !== 0) process.exitCode = 1;
  }
}
