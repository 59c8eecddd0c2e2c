// Writes docs/limits.md from the constants of the sources.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'prettier';
import { installWhenMissing, root } from './prepare.mjs';

await installWhenMissing();
const { limitsDocument } = createRequire(import.meta.url)('./limits.cjs');
const file = join(root, 'docs/limits.md');
writeFileSync(file, await format(limitsDocument(), { parser: 'markdown' }));
console.log(`Wrote ${file}`);
