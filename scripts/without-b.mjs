// npm run check:without-b: proves that `npm run remove:variant-b` works. Removes Variant B from a copy of the
// tree, and checks types, dead code and module order there; with --tests, the unit tests and some of the
// end-to-end tests instead.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';
import { listFiles, removeVariantB } from './remove-variant-b.mjs';
import { execute } from './run.mjs';

/**
 * End-to-end tests of what a variant decides: every example of the contract, the routes, rules of users and
 * organisations, and the documents. The tests of Variant A in the tree with both variants check the rest.
 */
const TESTS =
  '/test/(contract/(contract|docs)|security/routes|domains/(users|organisations)|cli/docs-samples)';

const bin = (name, ...args) => [process.execPath, [join('node_modules', name), ...args]];
const tsc = bin('typescript-7/bin/tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.json');
const jest = (...args) =>
  bin('jest/bin/jest.js', `--reporters=${join(root, 'scripts/progress-reporter.cjs')}`, ...args);

/** The form of the files that stay as they are is checked in the tree with both variants. */
const prettier = (files) =>
  bin('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--ignore-unknown', ...files);

const steps = [
  ['types', tsc],
  ['dead code', bin('knip/bin/knip.js', '--no-progress')],
  ['dead code of production', bin('knip/bin/knip.js', '--no-progress', '--production')],
  ['module order', ['npm', ['run', '--silent', 'check:modules']]],
];
const testSteps = [['tests', jest('--testPathPatterns', '\\.spec\\.ts$', `${TESTS}\\.e2e-spec\\.ts$`)]];

// Here, where the packages are: from the copy npm would empty this folder, to which its link leads.
await installWhenMissing();
const copy = mkdtempSync(join(tmpdir(), 'account-api-without-b-'));
try {
  const paths = listFiles();
  for (const path of paths) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  await removeVariantB(copy, paths);
  const isChanged = (path) =>
    existsSync(join(copy, path)) && !readFileSync(join(copy, path)).equals(readFileSync(join(root, path)));
  const wanted = process.argv.includes('--tests')
    ? testSteps
    : [...steps, ['format', prettier(paths.filter(isChanged))]];
  for (const [title, [command, args]] of wanted) {
    const collect = wanted !== testSteps;
    const { status, output } = await execute(command, args, { cwd: copy, collect });
    console.log(`${title}: ${status === 0 ? 'ok' : `FAILED\n${output}`}`);
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
