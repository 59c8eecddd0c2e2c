// npm start: installs and builds what is missing, then runs the API in this same process.
import { refuseOldNode } from './node-version.mjs';

refuseOldNode();
const { launch } = await import('./launch.mjs');
await launch();
