// HAProxy before the database and before the service.
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, startProgram, stopProgram, until } from './processes.mjs';

/**
 * As Patroni's own template: who is primary is asked every 3 s, and who no longer is loses its connections.
 */
export async function startDatabaseProxy({ folder, programs, cluster }) {
  const port = await freePort();
  const servers = cluster.nodes.map(
    ({ name, port: own, restPort }) => `  server ${name} 127.0.0.1:${own} maxconn 150 check port ${restPort}`,
  );
  const program = startHaproxy('haproxy-database', folder, programs, [
    'global',
    '  maxconn 500',
    'defaults',
    '  mode tcp',
    '  retries 2',
    '  timeout client 30m',
    '  timeout connect 4s',
    '  timeout server 30m',
    '  timeout check 5s',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 3s fall 3 rise 2 on-marked-down shutdown-sessions',
    ...servers,
  ]);
  await until('HAProxy takes connections', () => takesConnections(port));
  return { port, program, stop: () => stopProgram(program) };
}

/**
 * Before the nodes of the service: one port for each variant. `maxClients` is what the
 * limit of open files lets be.
 */
export async function startServiceProxy({ folder, programs, nodes, maxClients }) {
  const variants = [...new Set(nodes.map(({ variant }) => variant))];
  const ports = {};
  for (const variant of variants) ports[variant] = await freePort();
  const parts = variants.flatMap((variant) => [
    `frontend ${variant}`,
    `  bind 127.0.0.1:${ports[variant]}`,
    `  maxconn ${maxClients}`,
    `  default_backend nodes-${variant}`,
    `backend nodes-${variant}`,
    '  balance roundrobin',
    '  option httpchk GET /health/ready',
    '  http-check expect status 200',
    '  option redispatch 1',
    '  retries 3',
    '  default-server inter 1s fall 2 rise 1',
    ...nodes
      .filter((node) => node.variant === variant)
      .map(({ name, port }) => `  server ${name} 127.0.0.1:${port} check`),
  ]);
  const statusPort = await freePort();
  const program = startHaproxy('haproxy-service', folder, programs, [
    'global',
    `  maxconn ${maxClients}`,
    'defaults',
    '  mode http',
    '  option forwardfor',
    '  timeout client 120s',
    '  timeout http-request 10s',
    '  timeout http-keep-alive 120s',
    '  timeout connect 4s',
    '  timeout server 60s',
    '  timeout check 2s',
    ...parts,
    'frontend status',
    `  bind 127.0.0.1:${statusPort}`,
    '  stats enable',
    '  stats uri /stats',
  ]);
  /** The nodes that it sends requests to. */
  const nodesInUse = async () => {
    const response = await fetch(`http://127.0.0.1:${statusPort}/stats;csv`).catch(() => undefined);
    if (!response?.ok) return [];
    const lines = (await response.text()).split('\n').map((line) => line.split(','));
    return lines.filter((cells) => cells[17]?.startsWith('UP')).map(([, name]) => name);
  };
  await until('HAProxy takes connections', () => takesConnections(ports[variants[0]]));
  return { ports, program, nodesInUse, stop: () => stopProgram(program) };
}

function startHaproxy(name, folder, programs, lines) {
  const file = join(folder, `${name}.cfg`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return startProgram(name, programs.haproxy, ['-db', '-f', file], { folder });
}

function takesConnections(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => (socket.destroy(), resolve(true)))
      .once('error', () => resolve(false));
  });
}
