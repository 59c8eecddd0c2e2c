// npm run cli: installs and builds what is missing, then runs the command line in this same process.
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { launch } = await import('./launch.mjs');
const { cliFile } = await import('./prepare.mjs');
await launch(cliFile);
