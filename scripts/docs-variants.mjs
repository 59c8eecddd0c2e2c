// Writes docs/variants.md and libs/usage/variant-differences.json from the descriptions of both variants: run
// docs:openapi before it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'prettier';
import { installWhenMissing, root } from './prepare.mjs';

await installWhenMissing();
const require = createRequire(import.meta.url);
const { compareVariants, usedOnlyInB } = require('./variants.cjs');
const { variantsDocument } = require('./variants-document.cjs');

const [a, b] = ['a', 'b'].map((variant) =>
  JSON.parse(readFileSync(join(root, `docs/openapi-${variant}.json`), 'utf8')),
);
await write('docs/variants.md', variantsDocument(a, b), 'markdown');
await write(
  'libs/usage/variant-differences.json',
  JSON.stringify(usedOnlyInB(compareVariants(a, b))),
  'json',
);

async function write(path, text, parser) {
  writeFileSync(join(root, path), await format(text, { parser, printWidth: 110 }));
  console.log(`Wrote ${join(root, path)}`);
}
