// Writes docs/access.md from the privilege table that the service decides by. Nothing is built for it: the service
// itself has no use for the text, so that dist does not hold what makes it.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installWhenMissing, root } from './prepare.mjs';

await installWhenMissing();
const require = createRequire(import.meta.url);
require('../test/support/typescript-register.cjs');
const { accessDocument } = require('../libs/core/access/access-document.ts');
const file = join(root, 'docs/access.md');
writeFileSync(file, accessDocument());
console.log(`Wrote ${file}`);
