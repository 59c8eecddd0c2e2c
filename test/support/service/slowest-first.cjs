// The order in which jest runs test files: the slowest first, so that none of them runs alone at the end.
const { statSync } = require('node:fs');

/** Files that take more than half a minute, the slowest first: their size does not tell. */
const SLOW = [
  // It installs 508 packages first.
  'bruno',
  'fuzz-bodies',
  'abuse-reads',
  'cli-erasures',
  'explain',
  'fuzz-interface',
  'frozen-database',
  'person',
  'killed-process',
  'graceful-stop',
  'webhook-shares',
  'invariants',
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
    const rank = new Map(tests.map(({ path }) => [path, [rankOf(path), -statSync(path).size]]));
    const difference = (one, other, part) => rank.get(one.path)[part] - rank.get(other.path)[part];
    return [...tests].sort(
      (one, other) =>
        difference(one, other, 0) || difference(one, other, 1) || (one.path < other.path ? -1 : 1),
    );
  }

  shard(tests, { shardIndex, shardCount }) {
    return tests.filter((_, index) => index % shardCount === shardIndex - 1);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // The times of a machine are not kept: the order is the same everywhere.
  }
}

/** Those that are not named come last. */
function rankOf(path) {
  const rank = SLOW.findIndex((name) => path.endsWith(`/${name}.e2e-spec.ts`));
  return rank === -1 ? SLOW.length : rank;
}

module.exports = SlowestFirst;
