// npm run qa:suites: runs the suites of tools/qa/suites against the deployment that QA_URL
// and so on name (docs/qa.md).
import { join } from 'node:path';
import { assertNodeVersion } from './node-version.mjs';
import { endWithUsage } from './words.mjs';

assertNodeVersion();
endWithUsage(
  'npm run qa:suites -- [PART OF A FILE NAME | OPTION OF JEST]…, with QA_URL and so on (docs/qa.md)',
);
const { installWhenMissing, root } = await import('./prepare.mjs');
const { execute } = await import('./run.mjs');
await installWhenMissing();
const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--config', join(root, 'tools/qa/jest.config.js')];
const { status } = await execute(process.execPath, [...jest, ...process.argv.slice(2)]);
process.exitCode = status;
