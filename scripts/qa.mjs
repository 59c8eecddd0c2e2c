// npm run qa: checks a running deployment against the written samples of qa/scenarios (docs/qa.md).
import { createRequire } from 'node:module';
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { installWhenMissing } = await import('./prepare.mjs');
await installWhenMissing();
const require = createRequire(import.meta.url);
require('./typescript-register.cjs');
const [subject, ...rest] = process.argv.slice(2);
// It loads no examples: files of a million requests have to fit into little memory.
process.exitCode =
  subject === 'compare'
    ? await require('../tools/qa/compare/command.ts').compareCommand(rest)
    : await require('../tools/qa/command.ts').qaCommand(process.argv.slice(2), process.env);
