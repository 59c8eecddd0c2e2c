// The order in which jest runs test files: first those that failed in the last run of them, which somebody
// mends; then the slowest, so that none of them runs alone at the end. Files that share services come last,
// one after the other: a file with a service of its own stops those that are shared.
const { mkdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const sharesServices = require('./shares-services.cjs');

const root = join(__dirname, '../../..');
const failedFiles = join(root, 'node_modules/.cache/failed-tests.json');

/** Files that take more than half a minute, the slowest first: their size does not tell. */
const SLOW = [
  // It installs 508 packages first.
  'bruno',
  'cli-erasures',
  'start',
  'cli',
  'rights/grants',
  'qa-compare-variants.variant-b',
  'fuzz-interface',
  'amounts',
  'killed-process',
  'fuzz-bodies',
  'large-reads',
  'notifications-to-address',
  'replacements',
  'grants-unasked',
  'frozen-database',
  'person',
  'graceful-stop',
  'webhook-shares',
  'invariants',
  'upgrades',
  'recovery',
  'matrix',
  'csv-streams',
  'contract',
  'access-list-trees',
  'query-cost',
];

/** Its interface is that of a test sequencer of jest. */
class SlowestFirst {
  sort(tests) {
    const failed = new Set(failedBefore());
    const rank = new Map(
      tests.map(({ path }) => [path, [failed.has(nameOf(path)) ? 0 : 1, rankOf(path), -statSync(path).size]]),
    );
    const difference = (one, other, part) => rank.get(one.path)[part] - rank.get(other.path)[part];
    return [...tests].sort(
      (one, other) =>
        difference(one, other, 0) ||
        difference(one, other, 1) ||
        difference(one, other, 2) ||
        (one.path < other.path ? -1 : 1),
    );
  }

  shard(tests, { shardIndex, shardCount }) {
    return tests.filter((_, index) => index % shardCount === shardIndex - 1);
  }

  allFailedTests(tests) {
    return tests;
  }

  /** The times of a machine are not kept: beside failures the order is the same everywhere. */
  cacheResults(tests, { testResults }) {
    const ran = new Set(tests.map(({ path }) => nameOf(path)));
    const isFailed = ({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError;
    const failed = testResults.filter(isFailed).map(({ testFilePath }) => nameOf(testFilePath));
    const others = failedBefore().filter((name) => !ran.has(name));
    mkdirSync(dirname(failedFiles), { recursive: true });
    writeFileSync(failedFiles, JSON.stringify([...others, ...failed]));
  }
}

const nameOf = (path) => relative(root, path);

function failedBefore() {
  try {
    return JSON.parse(readFileSync(failedFiles, 'utf8'));
  } catch {
    return [];
  }
}

/** Those that are not named come after those that are. */
function rankOf(path) {
  const rank = SLOW.findIndex((name) => path.endsWith(`/${name}.e2e-spec.ts`));
  if (rank !== -1) return rank;
  return sharesServices(path) ? SLOW.length + 1 : SLOW.length;
}

module.exports = SlowestFirst;
