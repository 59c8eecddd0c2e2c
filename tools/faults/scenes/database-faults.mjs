// Faults of the database: planned and unplanned changes of the primary, and frozen servers.
import { figuresOfLoad, figuresOfReturn } from '../figures.mjs';
import { Answers, Load } from '../load.mjs';
import { DatabaseProbe, WriteProbe } from '../probes.mjs';
import { pause, until } from '../processes.mjs';
import { verify } from '../verify.mjs';

/** Milliseconds of load before and after a fault. */
const BEFORE = 3000;
const AFTER = 4000;

/** The ways to the database, by the `path` of a node. */
const WAYS = ['through HAProxy', 'with several hosts'];

/** Plays a fault repeatedly under load, and verifies all data after each time. */
async function playFault(stage, times, fault) {
  const answers = new Answers();
  const rounds = [];
  const returns = [];
  for (let time = 0; time < times; time++) {
    await stage.cluster.settled();
    await stage.nodesReady();
    stage.say(`  ${time + 1} of ${times}`);
    const load = new Load({ targets: stage.nodes, answers });
    const probes = stage.nodes.map((node) => new WriteProbe(node, answers));
    const databases = Object.values(stage.databasePaths).map((ports) => new DatabaseProbe(ports));
    for (const probe of [...probes, ...databases]) await probe.start();
    load.start();
    await pause(BEFORE);
    const began = performance.now();
    try {
      await fault(time);
      await everybodyWrites(probes, performance.now());
      await pause(AFTER);
      await until('the database stays', () => databases.every(({ isSteady }) => isSteady));
    } finally {
      for (const probe of databases) probe.stop();
      await load.stop();
      for (const probe of probes) await probe.stop();
    }
    returns.push(...returnsOf(stage, probes, databases, began));
    await stage.cluster.settled();
    const { ask, mail } = stage;
    rounds.push(await verify({ ledger: load.ledger, mail, ask, target: stage.nodes[0] }));
  }
  return [...figuresOfLoad(rounds, answers), ...figuresOfReturn(returns)];
}

/** From the return of the database on the way a node takes to the first write at that node. */
function returnsOf({ nodes }, probes, databases, began) {
  return nodes.map(({ path }, position) => {
    const back = databases[path].returnedAfter(began);
    const way = WAYS[path];
    if (back === undefined) return { way };
    return { way, away: back.away, firstGood: probes[position].firstGoodAfter(back.at) ?? Infinity };
  });
}

async function everybodyWrites(probes, moment) {
  await until(
    'every node can write again',
    () => probes.every((probe) => probe.firstGoodAfter(moment) !== undefined),
    {
      within: 120_000,
    },
  );
}

/** Waits until another node is the primary than was. */
const newPrimary = (cluster, old) =>
  until('another node is the primary', async () => {
    const now = await cluster.nodeThatIs('leader');
    return now !== undefined && now.name !== old.name;
  });

export const switchover = (stage, times) =>
  playFault(stage, times, async () => {
    const old = await stage.cluster.primary();
    await stage.cluster.switchOver();
    await newPrimary(stage.cluster, old);
  });

/** Every third time Patroni is killed too, as when the machine fails. */
export const kill = (stage, times) =>
  playFault(stage, times, async (time) => {
    const old = await stage.cluster.primary();
    const isWholeMachine = time % 3 === 2;
    if (isWholeMachine) old.killAll();
    else old.killPostgres();
    await newPrimary(stage.cluster, old);
    if (!isWholeMachine) return;
    await old.program.ended;
    old.start();
  });

const FREEZE = 40_000;

async function frozen(node) {
  node.freeze();
  try {
    await pause(FREEZE);
  } finally {
    node.thaw();
  }
}

export const freeze = (stage, times) =>
  playFault(stage, times, async () => frozen(await stage.cluster.primary()));

export const freezeStandby = (stage, times) =>
  playFault(stage, times, async () => frozen(await stage.cluster.standby()));

const ETCD_AWAY = 60_000;

export const etcdAway = (stage, times) =>
  playFault(stage, times, async () => {
    const { etcd } = stage.cluster;
    await etcd.stop();
    try {
      await pause(ETCD_AWAY);
    } finally {
      etcd.start();
    }
  });
