// npm run check:without-domain -- webhooks: proves that a domain can be deleted. Removes each domain
// from a copy of the tree of its own, without a word all that can go, and checks types, lint, dead code and
// module order there; with --tests, makes the documents anew and runs the unit tests, the contract, the
// schema, the routes and the privileges instead. --types is the quick form for CI: one copy without all of
// them, and its types. --list only says what cannot go.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { readManifests, removeDomains } from './remove-domain.mjs';
import {
  changedIn,
  DEAD_CODE,
  eslint,
  inCopy,
  jest,
  listFiles,
  MODULE_ORDER,
  oxlint,
  prettier,
  runSteps,
  TYPES,
} from './tree-copies.mjs';

/** Domains that others stand on, with the reason. */
const STAY = {
  organisations: 'every record belongs to one',
  users: 'logins, keys and grants are theirs',
  contacts: 'notifications and documents go to them, and a user may be one',
  teams: 'grants are given to them, and entities belong to them',
  notifications: 'every domain tells its news through it',
  auth: 'it checks the credentials of all requests',
  audit: 'triggers of every table write to it, and events are made from it',
};

/**
 * End-to-end tests that look at all routes, tables, privileges and shapes. The others are of one domain, and
 * those of the pages in docs read prose, of which a person removes what is about the domain.
 */
const TESTS =
  '/test/(contract/(?!docs|variants-docs)[^/]+|database/(schema|owners|personal-data|deletions|list-orders)|domains/lists|security/(routes|matrix|not-found))';

/** Code and SQL of the service, whose examples are printed. */
const isOfService = (path) =>
  /^(?:apps|config|libs)\/.*\.(?:[cm]?ts|sql)$/.test(path) && !path.endsWith('.spec.ts');

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const names = words.filter((word) => !word.startsWith('--'));
const has = (option) => options.includes(`--${option}`);

const files = listFiles();
const manifests = readManifests(root, files);
const all = [...manifests.values()];
const deletable = all.filter(({ cannot }) => cannot === undefined);
const unknown = names.filter((name) => !deletable.some((manifest) => manifest.name === name));
if (unknown.length > 0) {
  const known = deletable.map(({ name }) => name).join(', ');
  console.error(
    `${unknown.join(', ')} cannot be deleted: ${known} can. --list says what stands on the others.`,
  );
  process.exit(2);
}
const chosen = names.length > 0 ? names.map((name) => manifests.get(name)) : deletable;

if (!has('list')) {
  const groups = has('types') ? [chosen] : chosen.map((manifest) => [manifest]);
  for (const group of groups) await check(group);
}
if (names.length === 0 && !has('types')) printOthers();

/** Removes the domains from one copy and checks what is left. */
async function check(group) {
  const title = group.map(({ name }) => name).join(', ');
  await inCopy('without-domain', async (copy, paths) => {
    const { removed, rows, tests, problems } = removeDomains(copy, paths, group);
    const sum = [...rows.values()].reduce((one, other) => one + other, 0);
    console.log(
      `Without ${title}: ${removed} files, and ${sum} rows in ${rows.size} others, ${tests} of them tests`,
    );
    for (const { name, stays = [] } of group)
      for (const what of stays) console.log(`  A person removes after ${name}: ${what}`);
    if (problems.length > 0) {
      console.log(problems.map((problem) => `  ${problem}`).join('\n'));
      process.exitCode = 1;
    }
    await runSteps(copy, stepsOf(copy, paths));
  });
}

function stepsOf(copy, paths) {
  if (has('types')) return [TYPES];
  if (has('tests')) {
    return [
      ['documents', [process.execPath, ['tools/docs/run.mjs']]],
      ['tests', jest('--testPathPatterns', '\\.spec\\.ts$', `${TESTS}\\.e2e-spec\\.ts$`)],
    ];
  }
  const changed = changedIn(copy, paths);
  return [
    TYPES,
    // Rows are cut out of their lines, and imports out of their order.
    ['format', prettier('--write', ...changed)],
    ['lint', eslint('--fix', ...changed.filter((path) => /\.[cm]?[jt]s$/.test(path)))],
    ['lint by types', oxlint],
    ...DEAD_CODE,
    MODULE_ORDER,
  ];
}

/** What cannot go, with the reason; of domains that say it themselves, also the files that name them. */
function printOthers() {
  console.log('\nStay, because others stand on them:');
  for (const [name, reason] of Object.entries(STAY)) console.log(`  ${name}: ${reason}`);
  for (const { name, folder, cannot, names: word } of all.filter(({ cannot: one }) => one !== undefined)) {
    console.log(`  ${name}: ${cannot}. Named in`);
    for (const path of files.filter((one) => isOfService(one) && !one.startsWith(`${folder}/`))) {
      const count = readFileSync(join(root, path), 'utf8').match(new RegExp(word, 'g'))?.length ?? 0;
      if (count > 0) console.log(`    ${path} (${count})`);
    }
  }
}
