// npm test: everything that must hold, with one table at the end. `npm test -- unit e2e` runs only
// those, `npm test -- contacts` the tests with this word in their path, `npm test -- related` those of
// the files that are not committed.
import { assertNodeVersion } from './node-version.mjs';
import { endWithUsage } from './words.mjs';

assertNodeVersion();
endWithUsage('npm test -- [CHECK | WORD OF A PATH | related]… [--times]');
const { runChecks } = await import('./checks.mjs');
process.exitCode = await runChecks(process.argv.slice(2));
