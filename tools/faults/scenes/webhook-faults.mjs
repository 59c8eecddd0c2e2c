// Receivers of webhooks while nodes are killed: each committed event arrives, in
// order, always with the same id.
import { createServer } from 'node:http';
import { call, newAgent } from '../client.mjs';
import { nothing, told } from '../figures.mjs';
import { freePort, pause, until } from '../processes.mjs';
import { killInTurn } from './service-faults.mjs';
import { underLoad } from './under-load.mjs';

const RECEIVERS = 20;
/** Milliseconds between two changes in one organisation. */
const PACE = 200;
/** Milliseconds after the load: the jobs of a killed process go to others within a minute. */
const PATIENCE = 150_000;

/** Kills nodes while each of 20 organisations, with a webhook each, is changed on and on. */
export async function killNodesWithReceivers(stage, times) {
  const receivers = await startReceivers();
  try {
    const listeners = await makeListeners(stage, receivers.port);
    const writing = new Writers(stage.nodes, listeners, await stage.logIn(stage.nodes[0]));
    const { figures } = await underLoad(
      stage,
      { targets: stage.nodes, writers: 4, areCutsAllowed: true },
      async () => {
        writing.start();
        try {
          await killInTurn(stage, times);
        } finally {
          await writing.stop();
        }
      },
    );
    await allSent(stage, listeners).catch((error) => stage.say(error.message));
    const found = await judge(stage, listeners, receivers.messages, writing.acknowledged);
    return [...figures.filter(({ name }) => name !== 'mails twice'), ...found];
  } finally {
    await receivers.stop();
  }
}

/** One server on a port; `messages` has by path what came, in order. */
async function startReceivers() {
  const messages = new Map();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (text += chunk));
    request.once('end', () => {
      const { data } = JSON.parse(text);
      const list = messages.get(request.url) ?? [];
      messages.set(request.url, list);
      list.push({ id: request.headers['webhook-id'], event: Number(data.id) });
      response.writeHead(204).end();
    });
    // A killed sender may leave half a message.
    request.on('error', () => undefined);
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    messages,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Organisations with a webhook each. */
async function makeListeners(stage, port) {
  const [target] = stage.nodes;
  const hash = await stage.logIn(target);
  const make = async (path, body) => {
    const answer = await call(target, 'POST', path, { hash, body });
    if (answer.status !== 201)
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const listeners = [];
  for (let index = 0; index < RECEIVERS; index++) {
    const { organisation } = await make('/organisations', { name: `Listener ${index}`, taxNumber: '0' });
    const id = Number(organisation.id);
    const path = `/${id}`;
    const { webhook } = await make(`/organisations/${id}/webhooks`, {
      url: `http://127.0.0.1:${port}${path}`,
      events: ['*'],
    });
    listeners.push({ id, path, webhookId: Number(webhook.id) });
  }
  return listeners;
}

/** Changes each organisation on and on, by nodes in turn. */
class Writers {
  /** By organisation, how many changes were acknowledged. */
  acknowledged = new Map();
  agent = newAgent();
  isRunning = false;

  constructor(nodes, listeners, hash) {
    Object.assign(this, { nodes, listeners, hash });
  }

  start() {
    this.isRunning = true;
    this.working = this.listeners.map((listener, index) => this.write(listener, index));
  }

  async stop() {
    this.isRunning = false;
    await Promise.all(this.working);
    this.agent.destroy();
  }

  async write({ id }, first) {
    for (let turn = first; this.isRunning; turn++) {
      const node = this.nodes[turn % this.nodes.length];
      const { status } = await call(node, 'PATCH', `/organisations/${id}`, {
        agent: this.agent,
        hash: this.hash,
        body: { name: `Listener ${id}`, taxNumber: String(turn + 1) },
      });
      if (status === 204) this.acknowledged.set(id, (this.acknowledged.get(id) ?? 0) + 1);
      await pause(PACE);
    }
  }
}

/** Waits until nothing is left to tell or to send. */
const allSent = (stage, listeners) =>
  until(
    'all messages are sent',
    async () => {
      const [{ done }] = await stage.ask(
        `SELECT (SELECT event_id FROM webhook_position) >= (SELECT max(id) FROM audit_log) AND NOT EXISTS (
           SELECT FROM webhook_deliveries WHERE webhook_id = ANY ($1) AND next_try_at IS NOT NULL) AS done`,
        [listeners.map(({ webhookId }) => webhookId)],
      );
      return done;
    },
    { within: PATIENCE, every: 500 },
  );

/** Compares what came with the events of the log, which the webhooks were to be told. */
async function judge(stage, listeners, messages, acknowledged) {
  const missing = [];
  const unasked = [];
  const unordered = [];
  const otherIds = [];
  const unwritten = [];
  let events = 0;
  let again = 0;
  for (const { id, path, webhookId } of listeners) {
    const rows = await stage.ask(
      `SELECT t.event_id AS id FROM event_audience t JOIN webhooks w ON w.id = $2
       WHERE t.organisation_id = $1 AND NOT t.beneath AND t.event_id > w.made_after AND t.event_id <> ALL (w.overtaking)
       ORDER BY t.event_id`,
      [id, webhookId],
    );
    const wanted = rows.map((row) => Number(row.id));
    const came = messages.get(path) ?? [];
    const ids = new Map();
    for (const { id: messageId, event } of came) ids.set(event, (ids.get(event) ?? new Set()).add(messageId));
    const firsts = [...ids.keys()];
    events += wanted.length;
    again += came.length - firsts.length;
    missing.push(...wanted.filter((event) => !ids.has(event)).map((event) => `${path}: event ${event}`));
    unasked.push(
      ...firsts.filter((event) => !wanted.includes(event)).map((event) => `${path}: event ${event}`),
    );
    unordered.push(
      ...firsts
        .filter((event, index) => index > 0 && event < firsts[index - 1])
        .map((event) => `${path}: event ${event} after a later one`),
    );
    otherIds.push(...[...ids].filter(([, one]) => one.size > 1).map(([event]) => `${path}: event ${event}`));
    if (wanted.length < (acknowledged.get(id) ?? 0)) unwritten.push(path);
  }
  return [
    told('receivers', listeners.length),
    nothing('organisations with fewer events than acknowledged changes', unwritten, listeners.length),
    nothing('events that a receiver never got', missing, events),
    nothing('messages of no event', unasked),
    nothing('events that came first after a later one', unordered, events),
    nothing('events whose messages have several ids', otherIds, events),
    told('messages that came again, with the same id', again),
  ];
}
