// npm run qa: checks a running deployment against the written samples of test/contract (docs/qa.md).
import { createRequire } from 'node:module';
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { installWhenMissing } = await import('./prepare.mjs');
await installWhenMissing();
const require = createRequire(import.meta.url);
require('../test/support/service/typescript-register.cjs');
process.exitCode = await require('../tools/qa/command.ts').qaCommand(process.argv.slice(2), process.env);
