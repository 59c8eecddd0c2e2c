// Faults of the database: planned and unplanned changes of the primary, and frozen servers.
import { makeOrganisation, makePerson } from '../../bench/parts/people.mjs';
import { call, newAgent } from '../client.mjs';
import { figuresOfLoad, figuresOfReturn, figuresOfWaitingMails } from '../figures.mjs';
import { Answers, Load } from '../load.mjs';
import { DatabaseProbe, WriteProbe } from '../probes.mjs';
import { pause, until } from '../processes.mjs';
import { verify } from '../verify.mjs';

/** Milliseconds of load before and after a fault. */
const BEFORE = 3000;
const AFTER = 4000;

/** Recipients of the notification whose mails wait while the database is away. */
const RECIPIENTS = 240;
/** Of one user, at most. */
const CONTACTS = 50;
/** Milliseconds that the mail server takes for a mail, so that most of them wait. */
const SLOW_MAIL = 500;

/** The ways to the database, by the `path` of a node. */
const WAYS = ['through HAProxy', 'with several hosts'];

/** Plays a fault repeatedly under load, and verifies all data after each time. */
async function playFault(stage, times, fault) {
  const answers = new Answers();
  const rounds = [];
  const returns = [];
  const waits = [];
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
    await notifyMany(stage, load.ledger);
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
      stage.mail.slowDown(0);
    }
    returns.push(...returnsOf(stage, probes, databases, began));
    await stage.cluster.settled();
    const { ask, mail } = stage;
    rounds.push(await verify({ ledger: load.ledger, mail, ask, target: stage.nodes[0] }));
    waits.push(...waitsOf(load.ledger, mail, databases, began));
  }
  return [...figuresOfLoad(rounds, answers), ...figuresOfReturn(returns), ...figuresOfWaitingMails(waits)];
}

/** Mails to many, of which most wait when this ends. */
async function notifyMany(stage, { mark, mails, promisedAt }) {
  const client = { query: async (...statement) => ({ rows: await stage.ask(...statement) }) };
  const id = await makeOrganisation(client);
  const addresses = [];
  for (let made = 0; made < RECIPIENTS; made += CONTACTS) {
    const { id: userId } = await makePerson(client, id);
    const names = Array.from(
      { length: Math.min(CONTACTS, RECIPIENTS - made) },
      (_, index) => `${mark}-${made + index}@many.example`,
    );
    await stage.ask(
      `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
       SELECT $1, $2, 'email', name, name, '{App}' FROM unnest($3::text[]) name`,
      [id, userId, names],
    );
    addresses.push(...names);
  }
  stage.mail.slowDown(SLOW_MAIL);
  const [node] = stage.nodes;
  const hash = await stage.logIn(node);
  const agent = newAgent();
  const body = { type: 'x', group: 'App' };
  const { status } = await call(node, 'POST', `/organisations/${id}/notifications`, { agent, hash, body });
  agent.destroy();
  if (status >= 300) throw new Error(`A notification was answered ${status}`);
  for (const address of addresses) {
    mails.set(address, true);
    promisedAt.set(address, Date.now());
  }
  await until('the first of many mails is taken', () => addresses.some((to) => stage.mail.taken.has(to)));
}

/** From the first return of the database to each mail that was acknowledged before and taken after it. */
function waitsOf({ promisedAt }, { taken }, databases, began) {
  const returned = databases.flatMap((probe) => probe.returnedAfter(began) ?? []).map(({ at }) => at);
  if (returned.length === 0) return [];
  const back = performance.timeOrigin + Math.min(...returned);
  return [...promisedAt]
    .filter(([, at]) => at < back)
    .flatMap(
      ([email]) =>
        taken
          .get(email)
          ?.map(({ at }) => Date.parse(at) - back)
          .slice(0, 1) ?? [],
    )
    .filter((wait) => wait > 0);
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
