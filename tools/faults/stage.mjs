// Sets up the stage of the faults: the database with its proxy, the nodes with theirs, and a mail server.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { call } from './client.mjs';
import { startDatabaseCluster } from './database.mjs';
import { startMailServer } from './mail.mjs';
import { ADMIN, makeServiceNode } from './nodes.mjs';
import { until } from './processes.mjs';
import { startDatabaseProxy, startServiceProxy } from './proxies.mjs';
import { canWrite } from './sql.mjs';

/** How a node connects to the database. */
const THROUGH_PROXY = 0;
const SEVERAL_HOSTS = 1;

/**
 * One node of each variant finds the primary itself, so that every fault also occurs without a
 * proxy that cuts connections.
 */
const NODES = [
  { name: 'a1', variant: 'A', path: THROUGH_PROXY },
  { name: 'a2', variant: 'A', path: SEVERAL_HOSTS },
  { name: 'b1', variant: 'B', path: THROUGH_PROXY },
  { name: 'b2', variant: 'B', path: SEVERAL_HOSTS },
];

export async function setStage({ folder, programs, as, maxClients, say }) {
  say('Starting etcd, Patroni and HAProxy ...');
  const cluster = await startDatabaseCluster({ folder, programs, as });
  const proxy = await startDatabaseProxy({ folder, programs, cluster });
  const urlOf = (ports, parameters = '') =>
    `postgresql://account@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/account${parameters}`;
  const hosts = cluster.nodes.map(({ port }) => port);
  await cluster.ask('postgres', 'CREATE ROLE account LOGIN');
  for (const name of ['account', 'probe'])
    await cluster.ask('postgres', `CREATE DATABASE ${name} OWNER account ENCODING 'UTF8' TEMPLATE template0`);
  await cluster.ask('probe', 'CREATE TABLE probes (at timestamptz DEFAULT now())');
  // At first HAProxy treats all three as the primary, in turn.
  await until('HAProxy knows the primary', async () => {
    for (let turn = 0; turn < 2 * hosts.length; turn++) if (!(await canWrite(proxy.port))) return false;
    return true;
  });
  const mail = await startMailServer();
  const common = {
    SECRETS_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: mail.url,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    NODE_OPTIONS: `--require ${join(import.meta.dirname, 'webhooks-to-loopback.cjs')}`,
    DATABASE_POOL: '10',
  };
  const urls = {
    [THROUGH_PROXY]: urlOf([proxy.port], ''),
    [SEVERAL_HOSTS]: urlOf(hosts, '?target_session_attrs=read-write'),
  };
  const nodes = [];
  for (const { name, variant, path } of NODES) {
    const settings = { ...common, DATABASE_URL: urls[path] };
    nodes.push(Object.assign(await makeServiceNode({ name, variant, folder, settings }), { path }));
  }
  say('Starting four nodes of the service ...');
  for (const node of nodes) await node.start();
  const front = await startServiceProxy({ folder, programs, nodes, maxClients });
  return {
    folder,
    programs,
    as,
    say,
    cluster,
    mail,
    nodes,
    front,
    common,
    maxClients,
    databasePaths: { [THROUGH_PROXY]: [proxy.port], [SEVERAL_HOSTS]: hosts },
    /** SQL on the service's database, as the superuser. */
    ask: (text, values) => cluster.ask('account', text, values),
    nodesReady: () => Promise.all(nodes.map((node) => node.ready())),
    async logIn(target) {
      const { status, body } = await call(target, 'POST', '/login', { body: ADMIN });
      if (status !== 200) throw new Error(`A login was answered ${status}: ${JSON.stringify(body)}`);
      return body.hash;
    },
  };
}
