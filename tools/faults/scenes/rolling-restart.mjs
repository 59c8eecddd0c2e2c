// The nodes of the service are replaced one by one.
import { call, newAgent } from '../client.mjs';
import { nothing, within } from '../figures.mjs';
import { pause, until } from '../processes.mjs';
import { throughProxy, underLoad } from './under-load.mjs';

/** A node must end within the delay that it goes on serving, and two seconds. */
const EXIT_GOAL = 7000;

/** Nodes of both variants at a time, first one of each and then the other. */
export async function rollingRestart(stage, times) {
  const exits = [];
  const [first, second] = [0, 1].map((half) => stage.nodes.filter((_, index) => index % 2 === half));
  const straight = new StraightClients(stage.nodes);
  const { figures } = await underLoad(
    stage,
    { targets: throughProxy(stage), writers: 4, readers: 10 },
    async () => {
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
    },
  );
  return [
    ...figures,
    nothing('keep-alive clients straight at a node, failed', straight.failed, straight.count),
    nothing(
      'exits with another status than 0',
      exits.filter(({ status }) => status !== 0),
      exits.length,
    ),
    within(
      'longest exit, with 5 s of draining',
      Math.max(...exits.map(({ milliseconds }) => milliseconds)),
      EXIT_GOAL,
    ),
  ];
}

/**
 * Clients that keep their connection to a node: they try once more where one that was in use before breaks,
 * and go to another node where nobody listens, as every client with two addresses does.
 */
class StraightClients {
  constructor(nodes) {
    this.pairs = ['A', 'B'].map((variant) => nodes.filter((node) => node.variant === variant));
    this.count = 0;
    this.failed = [];
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
      if (answer.cut === 'ECONNREFUSED') {
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
