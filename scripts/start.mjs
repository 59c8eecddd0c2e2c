// npm start: installs and builds what is missing, then runs the API in this same process.
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { launch } = await import('./launch.mjs');
await launch();
