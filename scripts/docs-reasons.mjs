// Writes docs/reasons.md from the tables of the sources.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'prettier';
import { installWhenMissing, root } from './prepare.mjs';

await installWhenMissing();
const require = createRequire(import.meta.url);
require('../test/support/typescript-register.cjs');
const { reasonsDocument } = require('./reasons.cjs');
const file = join(root, 'docs/reasons.md');
writeFileSync(
  file,
  await format(reasonsDocument(require('../libs/core/errors/reasons.ts')), { parser: 'markdown' }),
);
console.log(`Wrote ${file}`);
