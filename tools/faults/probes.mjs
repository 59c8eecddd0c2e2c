// Watches when the database and each node accept writes.
import { call, newAgent } from './client.mjs';
import { ADMIN } from './nodes.mjs';
import { canWrite } from './sql.mjs';

/** Milliseconds between two probes, whether or not the last one has an answer. */
const EVERY = 200;
const MAX_UNDER_WAY = 10;
/** Consecutive probes that must succeed. */
const STEADY = 15;

/** Probes the database without a pool, at the proxy or at its nodes. */
export class DatabaseProbe {
  /** `ports`: of which any will do. */
  constructor(ports) {
    this.ports = ports;
    this.looks = [];
  }

  start() {
    this.timer = setInterval(() => void this.look(), EVERY);
  }

  async look() {
    const began = performance.now();
    const answers = await Promise.all(
      this.ports.map((port) => canWrite(port).then((isGood) => ({ isGood, at: performance.now() }))),
    );
    const good = answers.filter(({ isGood }) => isGood).map(({ at }) => at);
    this.looks.push({ began, isGood: good.length > 0, at: Math.min(...good, performance.now()) });
  }

  stop() {
    clearInterval(this.timer);
  }

  /**
   * Whether it took all of the last writes: HAProxy leads some to the old primary
   * until its checks have failed.
   */
  get isSteady() {
    const last = this.looks.slice(-STEADY);
    return last.length === STEADY && last.every(({ isGood }) => isGood);
  }

  /** The last time, after something, that it came back; undefined where it was never away. */
  returnedAfter(moment) {
    const looks = this.looks.filter(({ began }) => began >= moment).sort((a, b) => a.began - b.began);
    const lastBad = looks.findLastIndex(({ isGood }) => !isGood);
    const first = looks.slice(lastBad + 1)[0];
    if (lastBad === -1 || first === undefined) return undefined;
    const firstBad = looks.find(({ isGood }) => !isGood);
    return { at: first.at, away: first.at - firstBad.began };
  }
}

/** Writes at one node of the service, and which of them were acknowledged when. */
export class WriteProbe {
  constructor(node, answers) {
    this.node = node;
    this.answers = answers;
    this.underWay = new Set();
    this.good = [];
  }

  /** While all is well. */
  async start() {
    this.agent = newAgent();
    const { body } = await call(this.node, 'POST', '/login', { body: ADMIN });
    this.hash = body.hash;
    const name = `probe of ${this.node.name}`;
    const made = await call(this.node, 'POST', '/organisations', {
      hash: this.hash,
      body: { name, taxNumber: '0' },
    });
    this.path = `/organisations/${made.body.organisation.id}`;
    this.timer = setInterval(() => this.look(name), EVERY);
  }

  look(name) {
    if (this.underWay.size >= MAX_UNDER_WAY) return;
    const body = { name, taxNumber: String(Date.now()) };
    const asked = call(this.node, 'PATCH', this.path, { agent: this.agent, hash: this.hash, body }).then(
      (answer) => {
        this.underWay.delete(asked);
        this.answers.note(`${this.node.name} probe`, answer);
        if (answer.status < 300) this.good.push(performance.now());
      },
    );
    this.underWay.add(asked);
  }

  async stop() {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    this.agent.destroy();
  }

  /** Milliseconds from a moment to the first write that was acknowledged then. */
  firstGoodAfter(moment) {
    const first = this.good.find((at) => at >= moment);
    return first === undefined ? undefined : first - moment;
  }
}
