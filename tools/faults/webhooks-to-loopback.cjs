// NODE_OPTIONS=--require of a built service that the faults kill: webhooks of every
// organisation reach `WEBHOOK_NETWORKS`, as otherwise only the operator's do. The receivers of faults
// listen on this machine.
const { join } = require('node:path');

const { ReceiverAddresses } = require(
  join(__dirname, '../../dist/libs/feeds/webhooks/receiver-addresses.js'),
);
ReceiverAddresses.prototype.reachesNetworks = () => true;
