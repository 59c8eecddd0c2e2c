// npm run check:without-b: proves that `npm run remove:variant-b` works. Removes Variant B from a copy of the
// tree, and checks types, dead code and module order there; with --tests, the unit tests and some of the
// end-to-end tests instead.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { listFiles, removeVariantB } from './remove-variant-b.mjs';
import { execute } from './run.mjs';
import { readWords } from './words.mjs';

/**
 * End-to-end tests of what a variant decides: every example of the contract, the routes, rules of users and
 * organisations, and the documents. The tests of Variant A in the tree with both variants check the rest.
 */
const TESTS =
  '/test/(contract/(contract|docs)|conventions/routes|users/users|organisations/organisations|cli/docs-samples)';

const packageFile = (name, ...args) => [process.execPath, [join('node_modules', name), ...args]];

const UNITS_AND_TESTS = packageFile(
  'jest/bin/jest.js',
  `--reporters=${join(root, 'scripts/progress-reporter.cjs')}`,
  '--testPathPatterns',
  '\\.spec\\.ts$',
  `${TESTS}\\.e2e-spec\\.ts$`,
);

/** Titles and commands. The form of files that stay as they are is checked in the tree with both variants. */
const checksOf = (changed) => [
  ['types', packageFile('typescript-7/bin/tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.json')],
  ['dead code', packageFile('knip/bin/knip.js', '--no-progress')],
  ['dead code of production', packageFile('knip/bin/knip.js', '--no-progress', '--production')],
  ['module order', ['npm', ['run', '--silent', 'check:modules']]],
  [
    'format',
    packageFile('prettier/bin/prettier.cjs', '--log-level=warn', '--ignore-unknown', '--check', ...changed),
  ],
];

/** Those of the paths whose files are in the copy, but with another text. */
const changedIn = (copy, paths) =>
  paths.filter(
    (path) =>
      existsSync(join(copy, path)) && !readFileSync(join(copy, path)).equals(readFileSync(join(root, path))),
  );

/** A failed step sets the exit status, and the next go on. */
async function runSteps(copy, steps, { collect }) {
  for (const [title, [command, args]] of steps) {
    const { status, output } = await execute(command, args, { cwd: copy, collect });
    console.log(`${title}: ${status === 0 ? 'ok' : `FAILED\n${output}`}`);
    if (status !== 0) process.exitCode = 1;
  }
}

const { values } = readWords('npm run check:without-b -- [--tests]', {
  options: { tests: { type: 'boolean' } },
});
// Here, where the packages are: from the copy npm would empty this folder, to which its link leads.
await installWhenMissing();
const copy = mkdtempSync(join(tmpdir(), 'account-api-without-b-'));
try {
  const paths = listFiles();
  for (const path of paths) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await removeVariantB(copy, paths);
  if (values.tests) await runSteps(copy, [['tests', UNITS_AND_TESTS]], { collect: false });
  else await runSteps(copy, checksOf(changedIn(copy, paths)), { collect: true });
} finally {
  rmSync(copy, { recursive: true, force: true });
}
