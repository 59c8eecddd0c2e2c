// npm run faults: plays faults on a database cluster and four nodes of the service (tools/faults/README.md).
import { assertNodeVersion } from './node-version.mjs';

assertNodeVersion();
const { installWhenMissing } = await import('./prepare.mjs');
await installWhenMissing();
const { faultsCommand } = await import('../tools/faults/command.mjs');
process.exit(await faultsCommand(process.argv.slice(2)));
