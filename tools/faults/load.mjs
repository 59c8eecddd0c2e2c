// Load under which a scene is played, and a ledger of what the service has acknowledged.
import { call, newAgent } from './client.mjs';
import { ADMIN } from './nodes.mjs';
import { pause } from './processes.mjs';

/** Milliseconds between two requests of one writer. */
const PACE = 40;
/** Milliseconds between two requests of one reader. */
const READING_PACE = 15;
let runs = 0;

/** What was asked for and what was acknowledged, for `verify`. */
export class Ledger {
  constructor() {
    this.mark = `load${process.pid}x${++runs}`;
    /** By name: acknowledged or not, and the id where it is known. */
    this.organisations = new Map();
    /** Receivers of invitations, by whether they were acknowledged. */
    this.mails = new Map();
    /** By receiver, when its invitation was acknowledged. */
    this.promisedAt = new Map();
    /** Hashes of logins: `live`, or `ended` once their end was acknowledged. */
    this.logins = new Map();
  }
}

/** What is judged of all answers together. */
export class Answers {
  constructor() {
    this.count = 0;
    this.slowest = 0;
    this.byStatus = {};
    /** Answers that no client should see: `GET /organisations/… 500`. */
    this.bad = [];
    /** Connections that ended without an answer, by the system's word. */
    this.cuts = {};
  }

  note(what, answer) {
    this.count += 1;
    this.slowest = Math.max(this.slowest, answer.milliseconds);
    if (answer.cut !== undefined) {
      this.cuts[answer.cut] = (this.cuts[answer.cut] ?? 0) + 1;
      return;
    }
    const { status, mayRetry } = answer;
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
    const isGood = (status >= 200 && status < 300) || (status === 503 && mayRetry);
    if (!isGood) {
      const reason = JSON.stringify(answer.body)?.slice(0, 200);
      this.bad.push(`${new Date().toISOString()} ${what} ${status} ${reason}`);
    }
  }
}

const isDone = ({ status }) => status >= 200 && status < 300;

export class Load {
  /** `targets` have a port; each writer, and each reader, keeps to one of them. */
  constructor({ targets, writers = targets.length, readers = 0, answers = new Answers() }) {
    this.targets = targets;
    this.writers = writers;
    this.readers = readers;
    this.ledger = new Ledger();
    this.answers = answers;
    this.isRunning = false;
    this.isResting = false;
  }

  start() {
    this.isRunning = true;
    this.agents = this.targets.map(() => newAgent());
    this.working = [
      ...Array.from({ length: this.writers }, (_, index) => this.write(index)),
      ...Array.from({ length: this.readers }, (_, index) => this.read(index)),
    ];
  }

  async stop() {
    this.isRunning = false;
    await Promise.all(this.working);
    for (const agent of this.agents) agent.destroy();
  }

  /** Writes nothing until it is told to go on. */
  rest() {
    this.isResting = true;
  }

  goOn() {
    this.isResting = false;
  }

  async write(index) {
    const { ledger } = this;
    const position = index % this.targets.length;
    const ask = async (method, path, options = {}) => {
      const answer = await call(this.targets[position], method, path, {
        agent: this.agents[position],
        ...options,
      });
      this.answers.note(`${this.targets[position].name} ${method} ${path}`, answer);
      await pause(PACE);
      return answer;
    };
    const logIn = async () => {
      const answer = await ask('POST', '/login', { body: ADMIN });
      if (!isDone(answer)) return undefined;
      ledger.logins.set(answer.body.hash, 'live');
      return answer.body.hash;
    };
    let hash;
    let spare;
    for (let round = 0; this.isRunning; round++) {
      while (this.isResting && this.isRunning) await pause(PACE);
      hash ??= await logIn();
      if (hash === undefined) continue;
      if (round % 4 === 3) {
        // The end of a login must hold as much as its beginning.
        const next = await logIn();
        if (next !== undefined && spare !== undefined) await this.end(spare, ask);
        spare = next ?? spare;
      }
      await this.writeOrganisation(`${ledger.mark}-${index}-${round}`, round, hash, ask);
    }
  }

  /** Asks who it is, on and on. */
  async read(index) {
    const position = index % this.targets.length;
    const target = this.targets[position];
    const agent = this.agents[position];
    let hash;
    while (this.isRunning) {
      const answer =
        hash === undefined
          ? await call(target, 'POST', '/login', { agent, body: ADMIN })
          : await call(target, 'GET', '/whoami', { agent, hash });
      this.answers.note(`${target.name} reader`, answer);
      if (hash === undefined && isDone(answer)) hash = answer.body.hash;
      await pause(READING_PACE);
    }
  }

  async end(hash, ask) {
    this.ledger.logins.set(hash, 'unknown');
    const answer = await ask('POST', '/logout', { hash });
    if (isDone(answer)) this.ledger.logins.set(hash, 'ended');
  }

  /** Creates one, reads it back, changes it, and lets it go or invites somebody to it. */
  async writeOrganisation(name, round, hash, ask) {
    const entry = { id: undefined, isMade: false, tried: ['0'], kept: '0', isGone: false, mayBeGone: false };
    this.ledger.organisations.set(name, entry);
    const made = await ask('POST', '/organisations', { hash, body: { name, taxNumber: '0' } });
    if (!isDone(made)) return;
    Object.assign(entry, { isMade: true, id: Number(made.body.organisation.id) });
    await ask('GET', `/organisations/${entry.id}`, { hash });
    const value = String(round + 1);
    entry.tried.push(value);
    const changed = await ask('PATCH', `/organisations/${entry.id}`, {
      hash,
      body: { name, taxNumber: value },
    });
    if (isDone(changed)) entry.kept = value;
    if (round % 3 === 0) {
      entry.mayBeGone = true;
      entry.isGone = isDone(await ask('DELETE', `/organisations/${entry.id}`, { hash }));
      return;
    }
    const email = `${name}@load.example`;
    this.ledger.mails.set(email, false);
    const invited = await ask('POST', `/organisations/${entry.id}/invitations`, {
      hash,
      body: { email, firstName: 'Anna', lastName: 'de Boer' },
    });
    this.ledger.mails.set(email, isDone(invited));
    if (isDone(invited)) this.ledger.promisedAt.set(email, Date.now());
  }
}
