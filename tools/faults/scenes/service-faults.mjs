// Faults of the nodes: they are killed, overloaded, or have a wrong clock.
import { connect } from 'node:net';
import { call } from '../client.mjs';
import { nothing, told } from '../figures.mjs';
import { makeServiceNode } from '../nodes.mjs';
import { pause } from '../processes.mjs';
import { throughProxy, underLoad } from './under-load.mjs';

/** Milliseconds after which the others have sent what a killed process had in hand. */
const HELD_BY_THE_KILLED = 60_000;

/** Kills one node of each variant at a time; its clients see their connections end. */
export async function killNodes(stage, times) {
  const { figures, found } = await underLoad(
    stage,
    { targets: stage.nodes, writers: 8, areCutsAllowed: true, mailPatience: HELD_BY_THE_KILLED },
    () => killInTurn(stage, times),
  );
  return [
    // One that was handed over when its process was killed, and not written down, goes out again.
    ...figures.filter(({ name }) => name !== 'mails twice'),
    told('mails twice or to go out again, with the same Message-ID', found.mailsTwice.length),
  ];
}

/** One node of each variant at a time is killed and started again. */
export async function killInTurn({ nodes }, times) {
  const pairs = ['A', 'B'].map((variant) => nodes.filter((node) => node.variant === variant));
  await Promise.all(
    pairs.map(async (pair, which) => {
      for (let time = which; time < times; time += pairs.length) {
        const node = pair[Math.floor(time / pairs.length) % pair.length];
        await node.kill();
        await node.start();
        await pause(300 * Math.random());
      }
    }),
  );
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
      LD_PRELOAD: fakeTime,
      FAKETIME: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
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
