// npm run docs: writes every page and file that is made from the sources.
//   npm run docs -- access reasons  only: access, rules, reasons, settings, limits, openapi, variants
//   npm run docs -- --bruno DIR        only a collection for Bruno of each variant, beneath DIR
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { installWhenMissing, root } from '../../scripts/prepare.mjs';
import { readWords, refuse } from '../../scripts/words.mjs';

const { values, positionals: chosen } = readWords('npm run docs -- [DOCUMENT]… [--bruno FOLDER]', {
  words: Infinity,
  options: { bruno: { type: 'string' } },
});

await installWhenMissing();
const { format } = await import('prettier');
const require = createRequire(import.meta.url);
require('../../scripts/typescript-register.cjs');

let unchanged = 0;

/** Names only the files that are new or differ, as these belong to the commit. */
function put(path, text) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) {
    unchanged++;
    return;
  }
  writeFileSync(file, text);
  console.log(`Wrote ${path}`);
}

async function write(path, text) {
  const parser = path.endsWith('.json') ? 'json' : 'markdown';
  const printWidth = parser === 'json' ? 110 : 80;
  put(path, await format(text, { parser, printWidth }));
}

/** In the order in which they must run: the way from Variant B to A is read from both descriptions. */
const DOCUMENTS = {
  access: () => {
    const { accessDocument } = require('./access-document.ts');
    put('docs/access.md', accessDocument());
  },
  rules: () => {
    const { rulesIndex } = require('./rules.ts');
    return write('docs/rules/README.md', rulesIndex(join(root, 'docs/rules')));
  },
  reasons: () => {
    const { reasonsDocument } = require('./reasons.cjs');
    return write('docs/reasons.md', reasonsDocument(require('../../libs/service/reasons.ts')));
  },
  settings: () => {
    const { settingsByHeading } = require('../../config/setting-table.ts');
    const { readSettings } = require('../../config/env.ts');
    const print = require('./settings.cjs');
    const groups = settingsByHeading();
    const defaults = readSettings({});
    const change = (path, made) => put(path, made(readFileSync(join(root, path), 'utf8')));
    change('docs/settings.md', (page) => print.settingsDocument(page, groups, defaults));
    change('README.md', (page) =>
      print.firstSettings(page, { heading: 'Settings', column: 'Meaning' }, groups),
    );
    change('docs/operations.md', (page) =>
      print.firstSettings(page, { heading: 'Settings of a first deployment', column: 'Example' }, groups),
    );
    put('.env.example', print.envExample(groups, defaults));
    put('deploy/systemd/common.env.example', print.systemdExample(groups));
    put('deploy/kubernetes/settings.yaml', print.kubernetesSettings(groups));
  },
  limits: () =>
    withMigratedDatabase(async (query, url) => {
      const { limitsDocument } = require('./limits-document.ts');
      const { boundsOfService } = require('./described-service.ts');
      await write('docs/limits.md', await limitsDocument(query, await boundsOfService(url)));
    }),
  openapi: () =>
    withMigratedDatabase(async (_query, url) => {
      const { VARIANTS } = require('../../qa/variants.ts');
      const { descriptionOf } = require('./described-service.ts');
      for (const variant of VARIANTS)
        await write(`docs/openapi-${variant.toLowerCase()}.json`, await descriptionOf(variant, url));
    }),
  variants: async () => {
    const { compareVariants, usedOnlyInB } = require('./variants.cjs');
    const { variantsDocument } = require('./variants-document.cjs');
    const { RULES_OF_ONE_VARIANT } = require('../../libs/service/variants/rules.variant-b.ts');
    const [a, b] = ['A', 'B'].map(writtenDescription);
    await write('docs/variants.md', variantsDocument(a, b, RULES_OF_ONE_VARIANT));
    await write(
      'apps/cli/variants/variant-b/variant-differences.json',
      JSON.stringify(usedOnlyInB(compareVariants(a, b, RULES_OF_ONE_VARIANT))),
    );
  },
};

const writtenDescription = (variant) =>
  JSON.parse(readFileSync(join(root, `docs/openapi-${variant.toLowerCase()}.json`), 'utf8'));

/** Does work with a throw-away database that has the schema of this tree. */
async function withMigratedDatabase(work) {
  const { startEmbeddedPostgres } = require('../../libs/embedded-postgres/embedded-postgres.ts');
  const { migrate } = require('../../libs/migrations/migrate.ts');
  const { Client } = require('pg');
  const dataDir = mkdtempSync(join(tmpdir(), 'account-api-docs-'));
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  const client = new Client({ connectionString: postgres.url });
  try {
    await migrate(postgres.url);
    await client.connect();
    await work(async (text) => (await client.query(text)).rows, postgres.url);
  } finally {
    await client.end();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function writeCollections(folder) {
  const { brunoCollection } = require('./bruno.cjs');
  for (const variant of ['A', 'B'].filter((one) =>
    existsSync(join(root, `docs/openapi-${one.toLowerCase()}.json`)),
  )) {
    const target = join(folder, `account-api-${variant.toLowerCase()}`);
    for (const [path, text] of brunoCollection(variant, writtenDescription(variant))) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), text);
    }
    console.log(`Wrote ${target}`);
  }
}

const unknown = chosen.filter((name) => !(name in DOCUMENTS));
if (unknown.length > 0)
  refuse(`Unknown document ${unknown.join(', ')}, of ${Object.keys(DOCUMENTS).join(', ')}`);
// The description of each variant is there: a collection is for people who use it, and
// not kept with the sources.
if (values.bruno !== undefined) writeCollections(resolve(values.bruno));
for (const [name, make] of values.bruno === undefined ? Object.entries(DOCUMENTS) : []) {
  if (chosen.length === 0 || chosen.includes(name)) await make();
}
if (unchanged > 0) console.log(`${unchanged} files are as they were`);
