// npm run cluster: plays faults on a whole cluster of this machine (docs/reliability.md).
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { buildWhenStale, installWhenMissing } = await import('./prepare.mjs');
await installWhenMissing();
await buildWhenStale();
const { clusterCommand } = await import('../test/cluster/command.mjs');
process.exit(await clusterCommand(process.argv.slice(2)));
