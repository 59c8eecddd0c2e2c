// What befalls the nodes of the service: they are replaced, killed, crowded, wrong about the time, or without mail.
import { connect } from 'node:net';
import { call, newAgent } from '../client.mjs';
import { figuresOfLoad, nothing, told, within } from '../figures.mjs';
import { Answers, Load } from '../load.mjs';
import { makeServiceNode } from '../nodes.mjs';
import { pause, until } from '../processes.mjs';
import { verify } from '../verify.mjs';

/** The ports of the proxy, as targets. */
const throughProxy = ({ front }) =>
  Object.entries(front.ports).map(([variant, port]) => ({ name: `proxy-${variant}`, port }));

/** Runs something under load, and gives what is judged of it. */
export async function underLoad(stage, { targets, writers, ...options }, act) {
  const answers = new Answers();
  const load = new Load({ targets, writers, answers });
  load.start();
  try {
    await act();
  } finally {
    await load.stop();
  }
  await stage.nodesReady();
  const { ask, mail } = { ...stage, ...options };
  const found = await verify({
    ledger: load.ledger,
    mail,
    ask,
    target: options.target ?? stage.nodes[0],
    ...options,
  });
  return { answers, found, figures: figuresOfLoad([found], answers, options) };
}

/** A node must end within the delay that it goes on serving, and two seconds. */
const EXIT_GOAL = 6000;

/** Nodes of both variants at a time, first one of each and then the other. */
export async function rollingRestart(stage, times) {
  const exits = [];
  const [first, second] = [0, 1].map((half) => stage.nodes.filter((_, index) => index % 2 === half));
  const straight = new StraightClients(stage.nodes);
  const { figures } = await underLoad(stage, { targets: throughProxy(stage), writers: 4 }, async () => {
    straight.start();
    for (let time = 0; time < times; time++) {
      stage.say(`  ${time + 1} of ${times}`);
      for (const half of [first, second]) {
        exits.push(...(await Promise.all(half.map((node) => node.stop()))));
        await Promise.all(half.map((node) => node.start()));
        await until('the proxy sends requests to all nodes', async () => {
          const inUse = await stage.front.nodesInUse();
          return stage.nodes.every(({ name }) => inUse.includes(name));
        });
      }
    }
    await straight.stop();
  });
  return [
    ...figures,
    nothing('keep-alive clients straight at a node, failed', straight.failed, straight.count),
    // In the instant in which a listener closes the system may hold a connection that nobody has taken yet.
    {
      ...nothing('their new connections, reset as a listener closed', straight.reset, straight.count),
      isFailure: false,
    },
    nothing(
      'exits with another status than 0',
      exits.filter(({ status }) => status !== 0),
      exits.length,
    ),
    within(
      'longest exit, with 4 s of draining',
      Math.max(...exits.map(({ milliseconds }) => milliseconds)),
      EXIT_GOAL,
    ),
  ];
}

/**
 * Clients that keep their connection to a node: they try once more where one that was in use before breaks, and go to
 * another node where nobody listens or takes them, as every client with two addresses does.
 */
class StraightClients {
  constructor(nodes) {
    this.pairs = ['A', 'B'].map((variant) => nodes.filter((node) => node.variant === variant));
    this.count = 0;
    this.failed = [];
    this.reset = [];
  }

  start() {
    this.isRunning = true;
    this.working = this.pairs.flatMap((pair) => [this.ask(pair), this.ask([...pair].reverse())]);
  }

  async stop() {
    this.isRunning = false;
    await Promise.all(this.working);
  }

  async ask(pair) {
    const agents = pair.map(() => newAgent());
    let at = 0;
    while (this.isRunning) {
      const once = () => call(pair[at], 'GET', '/health/live', { agent: agents[at] });
      let answer = await once();
      if (answer.cut && answer.cut !== 'ECONNREFUSED' && answer.wasReused) answer = await once();
      if (answer.cut === 'ECONNRESET' && !answer.wasReused) this.reset.push(pair[at].name);
      if (answer.cut === 'ECONNREFUSED' || answer.cut === 'ECONNRESET') {
        at = 1 - at;
        answer = await once();
      }
      this.count += 1;
      if (answer.status !== 200) this.failed.push(`${pair[at].name} ${answer.status ?? answer.cut}`);
      await pause(20);
    }
    for (const agent of agents) agent.destroy();
  }
}

/** One of each variant at a time; whoever was connected to it sees the connection end. */
export async function killNodes(stage, times) {
  const pairs = ['A', 'B'].map((variant) => stage.nodes.filter((node) => node.variant === variant));
  const { figures, found } = await underLoad(
    stage,
    { targets: stage.nodes, writers: 8, areCutsAllowed: true, mailPatience: 20_000 },
    () =>
      Promise.all(
        pairs.map(async (pair, which) => {
          for (let time = which; time < times; time += pairs.length) {
            const node = pair[Math.floor(time / pairs.length) % pair.length];
            await node.kill();
            await node.start();
            await pause(300 * Math.random());
          }
        }),
      ),
  );
  return judgedWithHeldMails(stage, figures, found);
}

/**
 * A mail that a killed process had in hand waits until the service takes it from the dead (15 minutes); one that it had
 * handed over, and not written down, goes out again with the same Message-ID.
 */
async function judgedWithHeldMails({ ask }, figures, found) {
  const held = await ask(
    `SELECT payload->>'to' AS "to" FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL`,
  );
  const waiting = new Set(held.map(({ to }) => to));
  const lost = found.mailsMissing.filter((email) => !waiting.has(email));
  const others = figures.filter(({ name }) => name !== 'mails missing' && name !== 'mails twice');
  await ask(
    "SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs WHERE locked_at < now() - interval '10 seconds'",
  );
  return [
    ...others,
    nothing('mails missing and not in the queue', lost, found.mails),
    told('mails held by the killed, for 15 minutes', found.mailsMissing.length - lost.length),
    told('mails twice or to go out again, with the same Message-ID', found.mailsTwice.length),
  ];
}

const MAIL_AWAY = 60_000;
const MAIL_AWAY_SHORT = 10_000;

/** The worker tries again after 3, 7, 20 and 55 seconds and so on: after an hour the last pause is six hours. */
export async function mailAway(stage, times, isShort) {
  const { figures } = await underLoad(stage, { targets: stage.nodes, mailPatience: 150_000 }, async () => {
    for (let time = 0; time < times; time++) {
      await pause(2000);
      await stage.mail.stop();
      await pause(isShort ? MAIL_AWAY_SHORT : MAIL_AWAY);
      await stage.mail.start();
      await pause(2000);
    }
  });
  return figures;
}

const CLOCK_SCENE = 15_000;

/** Two more nodes, one ten minutes ahead and one behind: what one of them made must hold at all others. */
export async function wrongClocks(stage, times) {
  const { fakeTime } = stage.programs;
  if (fakeTime === undefined) return [told('not played', 'needs libfaketime: apt-get install faketime')];
  const nodes = [];
  for (const [name, variant, offset] of [
    ['ahead', 'A', '+10m'],
    ['behind', 'B', '-10m'],
  ]) {
    const settings = {
      ...stage.nodes[0].settings,
      ...{
        LD_PRELOAD: fakeTime,
        FAKETIME: offset,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      },
    };
    nodes.push(await makeServiceNode({ name, variant, folder: stage.folder, settings }));
  }
  for (const node of nodes) await node.start();
  const failed = [];
  let asked = 0;
  try {
    const offsets = await Promise.all(nodes.map(clockOffset));
    const { figures } = await underLoad(stage, { targets: [...nodes, ...stage.nodes] }, async () => {
      for (const end = performance.now() + times * CLOCK_SCENE; performance.now() < end;) {
        for (const [made, used] of everyPair([...nodes, stage.nodes[0]])) {
          const hash = await stage.logIn(made);
          for (const [method, path, wanted, at] of [
            ['GET', '/whoami', 200, used],
            ['POST', '/logout', 204, used],
            ['GET', '/whoami', 401, made],
          ]) {
            const { status } = await call(at, method, path, { hash });
            asked += 1;
            if (status !== wanted) failed.push(`${made.name} ${used.name} ${method} ${path} ${status}`);
          }
        }
      }
    });
    return [
      told('clocks off by', offsets.map((offset) => `${Math.round(offset / 60_000)} min`).join(', ')),
      ...figures,
      nothing('logins of one node that another takes otherwise', failed, asked),
    ];
  } finally {
    for (const node of nodes) await node.stop();
  }
}

/** By the `Date` of its answers. */
async function clockOffset({ port }) {
  const response = await fetch(`http://127.0.0.1:${port}/health/live`);
  await response.arrayBuffer();
  return Date.parse(response.headers.get('date')) - Date.now();
}

const everyPair = (nodes) =>
  nodes.flatMap((one) => nodes.filter((other) => other !== one).map((other) => [one, other]));

/** Straight at a node more than it takes: the rest is turned away, and the other nodes go on. */
const IDLE_AT_NODE = 1900;
const IDLE_SCENE = 15_000;

/** Clients that asked once and hold their connection: behind the proxy as many as there may be open files. */
export async function idleConnections(stage, times) {
  const most = Math.min(
    10_000,
    stage.maxClients - 100,
    Math.floor(stage.maxClients * 2 - 1000 - IDLE_AT_NODE),
  );
  const ports = Object.values(stage.front.ports);
  const idle = [];
  const dropped = [];
  const open = async (port) => {
    const socket = await idleConnection(port);
    if (socket === undefined) return dropped.push(`at the start: ${port}`);
    idle.push(socket);
    socket.once('close', () => dropped.push(`later: ${port}`));
  };
  try {
    for (let made = 0; made < most; made += 100) {
      await Promise.all(
        Array.from({ length: Math.min(100, most - made) }, (_, index) => open(ports[index % ports.length])),
      );
    }
    for (let made = 0; made < IDLE_AT_NODE; made += 100) {
      await Promise.all(Array.from({ length: 100 }, () => open(stage.nodes[0].port)));
    }
    const { figures } = await underLoad(
      stage,
      { targets: [...throughProxy(stage), stage.nodes[0]], writers: 6 },
      () => pause(IDLE_SCENE * times),
    );
    const alive = idle.filter((socket) => !socket.destroyed).length;
    return [
      told('idle connections, at the proxy and at a node', `${most} + ${IDLE_AT_NODE}`),
      nothing('of them dropped', dropped, alive + dropped.length),
      ...figures,
    ];
  } finally {
    for (const socket of idle) socket.removeAllListeners('close').destroy();
  }
}

function idleConnection(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    socket.once('data', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
    socket.setTimeout(30_000, () => undefined);
    socket.resume();
  });
}
