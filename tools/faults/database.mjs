// etcd and three nodes of PostgreSQL under Patroni, with synchronous replication.
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  alsoEnd,
  freePort,
  killProgram,
  lastWords,
  signal,
  startProgram,
  stopProgram,
  treeOf,
  until,
} from './processes.mjs';
import { ask } from './sql.mjs';

const NAMES = ['pg1', 'pg2', 'pg3'];

/** Starts all of it; the first node makes the cluster, the others copy it. */
export async function startDatabaseCluster({ folder, programs, as }) {
  const etcd = await startEtcd({ folder, programs });
  const nodes = [];
  for (const name of NAMES) nodes.push(await makeNode({ name, folder, programs, as, etcd }));
  const cluster = new DatabaseCluster(etcd, nodes);
  for (const node of nodes) {
    node.start();
    // One after the other: which node is the first primary is the same in every run.
    await cluster.settled({ members: nodes.indexOf(node) + 1 });
  }
  return cluster;
}

async function startEtcd({ folder, programs }) {
  const port = await freePort();
  const peerPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const start = () =>
    startProgram(
      'etcd',
      programs.etcd,
      [
        '--name',
        'etcd1',
        '--data-dir',
        join(folder, 'etcd'),
        '--enable-v2=true',
        '--listen-client-urls',
        url,
        '--advertise-client-urls',
        url,
        '--listen-peer-urls',
        peerUrl,
        '--initial-advertise-peer-urls',
        peerUrl,
        '--initial-cluster',
        `etcd1=${peerUrl}`,
      ],
      { folder },
    );
  const etcd = { port, program: start() };
  etcd.stop = () => killProgram(etcd.program);
  etcd.start = () => (etcd.program = start());
  await until('etcd answers', async () => (await answerOf(`${url}/health`))?.health === 'true');
  return etcd;
}

async function makeNode({ name, folder, programs, as, etcd }) {
  const port = await freePort();
  const restPort = await freePort();
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  const dataDir = join(home, 'data');
  const settings = join(home, 'patroni.yml');
  // JSON is YAML.
  writeFileSync(
    settings,
    JSON.stringify(patroniSettings({ name, port, restPort, home, dataDir, programs, etcd })),
  );
  if (as.uid !== undefined) for (const path of [home, settings]) chownSync(path, as.uid, as.gid);
  const postmaster = () => {
    try {
      return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return undefined;
    }
  };
  alsoEnd(postmaster);
  const node = { name, port, restPort, postmaster };
  node.start = () =>
    (node.program = startProgram(name, programs.patroni, [settings], {
      folder,
      as,
      cwd: home,
      settings: { HOME: home },
    }));
  /** Patroni and PostgreSQL, with whoever serves its connections: as a machine that stands still. */
  node.tree = () => [...new Set([node.program.pid, postmaster()].flatMap((pid) => (pid ? treeOf(pid) : [])))];
  node.freeze = () => node.tree().forEach((pid) => signal(pid, 'SIGSTOP'));
  node.thaw = () => node.tree().forEach((pid) => signal(pid, 'SIGCONT'));
  node.killPostgres = () => signal(postmaster(), 'SIGKILL');
  node.killAll = () => node.tree().forEach((pid) => signal(pid, 'SIGKILL'));
  return node;
}

/** As availability is promised: a write is acknowledged when a second node has it. */
const patroniSettings = ({ name, port, restPort, home, dataDir, programs, etcd }) => ({
  scope: 'account',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  // Not etcd3: Patroni 3.0 lets a frozen primary take its lock back there.
  etcd: { host: `127.0.0.1:${etcd.port}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 5,
      retry_timeout: 5,
      maximum_lag_on_failover: 1_048_576,
      synchronous_mode: true,
      primary_start_timeout: 0,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: {
          max_connections: 200,
          max_wal_senders: 10,
          wal_log_hints: 'on',
          shared_buffers: '32MB',
        },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: dataDir,
    bin_dir: programs.postgres,
    pgpass: join(home, 'pgpass'),
    parameters: { unix_socket_directories: home },
    authentication: {
      superuser: { username: 'postgres', password: 'postgres' },
      replication: { username: 'replicator', password: 'replicator' },
    },
  },
});

class DatabaseCluster {
  constructor(etcd, nodes) {
    this.etcd = etcd;
    this.nodes = nodes;
  }

  /** As Patroni sees it, asked of whichever node answers. */
  async members() {
    for (const { restPort } of this.nodes) {
      const answer = await answerOf(`http://127.0.0.1:${restPort}/cluster`);
      if (answer?.members) return answer.members;
    }
    return [];
  }

  async nodeThatIs(role) {
    const name = (await this.members()).find((member) => member.role === role)?.name;
    return this.nodes.find((node) => node.name === name);
  }

  primary() {
    return until('there is a primary', () => this.nodeThatIs('leader'));
  }

  standby() {
    return until('there is a synchronous standby', () => this.nodeThatIs('sync_standby'));
  }

  /** Waits until every node does its part, and one confirms what the primary writes. */
  async settled({ members = this.nodes.length, within = 120_000 } = {}) {
    try {
      await until(
        'all nodes of the cluster are well',
        async () => {
          const found = await this.members();
          const well = found.filter(({ state }) => ['running', 'streaming'].includes(state));
          const timelines = new Set(well.map(({ timeline }) => timeline));
          return (
            well.length >= members &&
            timelines.size === 1 &&
            well.some(({ role }) => role === 'leader') &&
            (members === 1 || well.some(({ role }) => role === 'sync_standby'))
          );
        },
        { within },
      );
    } catch (error) {
      const words = this.nodes.filter(({ program }) => program).map(({ program }) => lastWords(program));
      throw new Error(`${error.message}\n${JSON.stringify(await this.members())}\n${words.join('\n')}`, {
        cause: error,
      });
    }
  }

  /** Hands over to the standby that has everything, as before maintenance. */
  async switchOver() {
    const leader = await this.primary();
    const candidate = await this.standby();
    const response = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
    });
    if (!response.ok) throw new Error(`Patroni refused the switchover: ${await response.text()}`);
  }

  /** Asks the primary as the superuser, past every proxy. */
  async ask(database, text, values) {
    const { port } = await this.primary();
    return ask(`postgresql://postgres@127.0.0.1:${port}/${database}`, text, values);
  }

  async stop() {
    for (const node of this.nodes) if (node.program) node.thaw();
    await Promise.all(this.nodes.map(({ program }) => program && stopProgram(program, 10_000)));
    await stopProgram(this.etcd.program);
  }
}

/** The JSON of an address, undefined where nobody answers in time. */
async function answerOf(url) {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(1500) })).json();
  } catch {
    return undefined;
  }
}
