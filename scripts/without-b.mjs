// npm run check:without-b: proves that `npm run remove:variant-b` works. Removes Variant B from a copy of the
// tree, and checks types, dead code and module order there; with --tests, the unit tests and some of the
// end-to-end tests instead.
import { removeVariantB } from './remove-variant-b.mjs';
import {
  changedIn,
  DEAD_CODE,
  inCopy,
  jest,
  MODULE_ORDER,
  prettier,
  runSteps,
  TYPES,
} from './tree-copies.mjs';

/**
 * End-to-end tests of what a variant decides: every example of the contract, the routes, rules of users and
 * organisations, and the documents. The tests of Variant A in the tree with both variants check the rest.
 */
const TESTS =
  '/test/(contract/(contract|docs)|security/routes|domains/(users|organisations)|cli/docs-samples)';

await inCopy('without-b', async (copy, paths) => {
  await removeVariantB(copy, paths);
  if (process.argv.includes('--tests')) {
    const tests = jest('--testPathPatterns', '\\.spec\\.ts$', `${TESTS}\\.e2e-spec\\.ts$`);
    return runSteps(copy, [['tests', tests]], { collect: false });
  }
  // The form of the files that stay as they are is checked in the tree with both variants.
  const format = prettier('--check', ...changedIn(copy, paths));
  return runSteps(copy, [TYPES, ...DEAD_CODE, MODULE_ORDER, ['format', format]]);
});
