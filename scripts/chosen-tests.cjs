// The test files that words of the command line choose: npm test -- contacts users, npm test -- related.
const { execFileSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { relatedTo } = require('./related-tests.cjs');

const root = dirname(__dirname);

/**
 * The test files of all words, each once, and the words that mean no test. Only "related" may mean none.
 */
exports.chosenTests = (words) => {
  const byWord = words.map((word) => [word, word === 'related' ? relatedTests() : testsWith(word)]);
  return {
    tests: [...new Set(byWord.flatMap(([, tests]) => tests))],
    unknown: byWord.filter(([word, tests]) => word !== 'related' && tests.length === 0).map(([word]) => word),
  };
};

/** The tests whose path below the root has this word. */
const testsWith = (word) => testFiles().filter((path) => path.includes(word));

const testFiles = () =>
  ['apps', 'config', 'libs', 'qa', 'scripts', 'test', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((path) => /\.(?:e2e-)?spec\.ts$/.test(path))
      .map((path) => join(folder, path)),
  );

/**
 * The tests nearest to the files that are not committed: those in their folder of `libs`, `apps` or
 * `scripts`, the end-to-end tests with its name, changed tests, and those of related-tests.cjs.
 */
function relatedTests() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const folders = changed
    .filter((path) => !path.startsWith('test/'))
    .map((path) => dirname(path).split('/').slice(0, 3).join('/'));
  const domains = folders.map((folder) => basename(folder));
  const elsewhere = relatedTo(changed);
  return testFiles().filter((path) => {
    if (changed.includes(path) || elsewhere.includes(path)) return true;
    if (!path.startsWith('test/')) return folders.some((folder) => path.startsWith(`${folder}/`));
    return domains.includes(basename(path).split('.')[0]);
  });
}
