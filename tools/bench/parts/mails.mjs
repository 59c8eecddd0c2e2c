import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { processorTimeOf, residentMegabytes } from './linux-processes.mjs';
import { pacedTimesOf } from './load.mjs';
import { startRelay } from './mail-relay.mjs';
import { json, makeOrganisation, makePerson } from './people.mjs';
import { logIn } from './service.mjs';
import { atLeast, atMost, median, quantile } from './table.mjs';

/** Recipients of one notification. */
const RECIPIENTS = Number(process.env.BENCH_MAILS ?? 2000);
/** Of one user, at most. */
const CONTACTS = 50;
/** Mails over which the rate is taken, at most. */
const MEASURED = 1000;
/** Milliseconds of a relay that is 20 ms away. */
const FAR = { roundTrip: 20, accept: 100 };
/** Ten connections of 180 ms a mail give 55. */
const FAR_GOAL = 45;
const NEAR_GOAL = 150;
/** Twice as many, without what other work on the machine takes. */
const TWO_PROCESSES_GOAL = 1.9;
/** Milliseconds above those without other mails. */
const RECOVERY_GOAL = 1000;
const INVITATION_GOAL = 2000;
const NOTIFICATION_GOAL = 2000;
/** Of what it is without mails. */
const BESIDE_GOAL = 1.2;
const LONGEST = 600_000;

/** Reads a second: far below what the service carries, so that mails are all that they could wait for. */
const READS = 100;
const TURNS = 20;
/** Seconds. */
const TURN = 2;
/** Milliseconds in which the relay begins or ends to take mails. */
const SETTLING = 500;
const MEMORY_ROUNDS = 3;
const MEMORY_ROUND = 20;

async function setUp(stage, name, latencies) {
  const relay = await startRelay(stage, latencies);
  const databaseUrl = await stage.database(name);
  const settings = {
    SMTP_URL: relay.url,
    MAIL_HOURLY_LIMIT: 'off',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  };
  const start = (more) => stage.service(databaseUrl, { ...settings, ...more });
  const service = await start();
  const client = await stage.client(databaseUrl);
  const admin = await logIn(service.url);
  const post = async (path, body, { url = service.url, hash = admin } = {}) => {
    const request = { method: 'POST', headers: json(hash), body: JSON.stringify(body) };
    const response = await fetch(`${url}/v1${path}`, request);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  };
  const organisation = async (recipients, domain) => {
    const id = await makeOrganisation(client);
    for (let made = 0; made < recipients; made += CONTACTS) {
      const { id: userId } = await makePerson(client, id);
      await client.query(
        `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
         SELECT $1, $2, 'email', n || $5, n || $5, '{App}' FROM generate_series($3::integer + 1, $4::integer) n`,
        [id, userId, made, Math.min(recipients, made + CONTACTS), `@${domain}`],
      );
    }
    return id;
  };
  const notify = (id, by) => post(`/organisations/${id}/notifications`, { type: 'x', group: 'App' }, by);
  const busy = { relay: relay.pid, postgres: stage.postgres.pid };
  return { relay, service, start, client, post, organisation, notify, busy };
}

async function firstOf({ arrivals }, domain) {
  while (![...arrivals.keys()].some((to) => to.endsWith(`@${domain}`))) await pause(10);
}

async function arrivalOf({ arrivals }, address) {
  const end = performance.now() + LONGEST;
  while (!arrivals.has(address)) {
    if (performance.now() > end) throw new Error(`no mail to ${address}`);
    await pause(2);
  }
  return arrivals.get(address);
}

/**
 * Milliseconds until each of three mails arrives: a recovery, and two of other organisations. A manager of
 * its own posts the notification, because the mails that one customer causes stand in one line.
 */
async function othersOf({ relay, client, post, organisation, notify }, round) {
  const person = await makePerson(client, await makeOrganisation(client));
  const inviting = await makeOrganisation(client);
  const telling = await organisation(1, `other${round}.example`);
  const manager = await makePerson(client, telling, ['ROLE_CUSTADMIN']);
  const invited = `invited${round}@bench.example`;
  const begun = performance.now();
  await post('/resetting/send_email', { username: person.username });
  await post(`/organisations/${inviting}/invitations`, { email: invited, firstName: 'A', lastName: 'B' });
  await notify(telling, { hash: manager.hash });
  const addresses = [person.username, invited, `1@other${round}.example`];
  return Promise.all(addresses.map(async (address) => (await arrivalOf(relay, address)) - begun));
}

async function measureFar(stage) {
  const stageOf = await setUp(stage, 'bench_mails_far', FAR);
  const { relay, service, organisation, notify, busy } = stageOf;
  const alone = await othersOf(stageOf, 0);
  const many = await organisation(RECIPIENTS, 'many.example');
  await notify(many);
  await firstOf(relay, 'many.example');
  const behind = await othersOf(stageOf, 1);
  const { rate, cores } = await rateOf(relay, 'many.example', { ...busy, service: service.pid });
  const later = (name, index, goal) =>
    atMost(
      { mail: name, 'ms alone': alone[index], [`ms behind ${RECIPIENTS}`]: behind[index] },
      behind[index] - alone[index],
      goal,
      { unit: ' ms more' },
    );
  return [
    atLeast(
      { relay: '20 ms away', 'mails a second': rate, connections: relay.connections(), ...cores },
      rate,
      FAR_GOAL,
    ),
    later('recovery', 0, RECOVERY_GOAL),
    later('invitation of another organisation', 1, INVITATION_GOAL),
    later('notification of another organisation', 2, NOTIFICATION_GOAL),
  ];
}

async function measureNear(stage) {
  const { relay, service, organisation, notify, busy } = await setUp(stage, 'bench_mails_near', {});
  await notify(await organisation(RECIPIENTS, 'many.example'));
  const { rate, cores } = await rateOf(relay, 'many.example', { ...busy, service: service.pid });
  return [
    atLeast(
      { relay: 'without latency', 'mails a second': rate, connections: relay.connections(), ...cores },
      rate,
      NEAR_GOAL,
    ),
  ];
}

async function measureTwoProcesses(stage) {
  const { relay, service, start, organisation, notify, busy } = await setUp(stage, 'bench_mails_two', FAR);
  await notify(await organisation(MEASURED, 'one.example'));
  const one = await rateOf(relay, 'one.example', { ...busy, service: service.pid });
  const second = await start();
  await notify(await organisation(2 * MEASURED, 'two.example'));
  const pids = { ...busy, service: service.pid, second: second.pid };
  const two = await rateOf(relay, 'two.example', pids, 2 * MEASURED);
  return [
    atLeast(
      {
        'a relay 20 ms away': 'two processes',
        'mails a second': { one: one.rate, two: two.rate },
        ...two.cores,
      },
      two.rate / one.rate,
      TWO_PROCESSES_GOAL,
      { unit: ' times' },
    ),
  ];
}

/**
 * Of the mails to a domain, the middle four fifths of those that arrive; and the part of a core that each
 * of these processes took meanwhile (Linux).
 */
async function rateOf({ arrivals }, domain, pids, wanted = Math.min(RECIPIENTS, MEASURED)) {
  const arrived = () => [...arrivals].filter(([to]) => to.endsWith(`@${domain}`)).map(([, time]) => time);
  const end = performance.now() + LONGEST;
  const until = async (count) => {
    while (arrived().length < count && performance.now() < end) await pause(100);
    const times = Object.entries(pids).map(([name, pid]) => [name, processorTimeOf(pid)]);
    return { at: performance.now(), times: Object.fromEntries(times) };
  };
  const before = await until(wanted / 10);
  const after = await until(wanted);
  const times = arrived();
  const [first, last] = [quantile(times, 0.1), quantile(times, 0.9)];
  const rate = (times.filter((time) => time >= first && time < last).length * 1000) / (last - first);
  const microseconds = (after.at - before.at) * 1000;
  const share = (name) => (after.times[name] - before.times[name]) / microseconds;
  const cores = Object.fromEntries(Object.keys(pids).map((name) => [name, share(name)]));
  return { rate, cores: { [`cores: ${Object.keys(cores).join(' / ')}`]: cores } };
}

/** The median of processes that begin anew, in MB, in the second half of their reads. */
async function memoryOf(start, readsOf) {
  const medians = [];
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    const running = await start();
    const reads = await readsOf(running);
    await reads(MEMORY_ROUND / 2);
    const figures = [];
    const sampling = setInterval(() => figures.push(residentMegabytes(running.pid)), 100);
    await reads(MEMORY_ROUND / 2);
    clearInterval(sampling);
    medians.push(median(figures));
    await running.stop();
  }
  return median(medians);
}

/**
 * The p99 of reads while the relay takes mails and while it takes none, in short turns, so that what else the
 * machine does falls on both alike; and how many mails it took a second.
 */
async function slowestOf(reads, relay) {
  await reads(TURN);
  const latencies = { without: [], beside: [] };
  let sent = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    relay.hold(true);
    await pause(SETTLING);
    latencies.without.push(...(await reads(TURN)));
    relay.hold(false);
    await pause(SETTLING);
    const before = relay.arrivals.size;
    latencies.beside.push(...(await reads(TURN)));
    sent += relay.arrivals.size - before;
  }
  const slowest = (kind) => quantile(latencies[kind], 0.99);
  return { without: slowest('without'), beside: slowest('beside'), sent: sent / (TURNS * TURN) };
}

/**
 * Reads at a steady pace, beside mails and without: the memory of the process (Linux), and the slowest reads
 * where their process sends the mails too, and where another one does.
 */
async function measureBeside(stage) {
  const { relay, service, start, organisation, notify } = await setUp(stage, 'bench_mails_beside', FAR);
  const many = await organisation(Math.max(RECIPIENTS, 20_000), 'many.example');
  const readsOf = async ({ url }) => {
    const path = `/v1/organisations/${many}/contacts?limit=10`;
    const target = { url: `${url}${path}`, hash: await logIn(url) };
    return (seconds) => pacedTimesOf(target, { seconds, rate: READS });
  };
  await service.stop();
  const idle = await memoryOf(start, readsOf);
  const first = await start();
  await notify(many, { url: first.url });
  await firstOf(relay, 'many.example');
  await first.stop();
  const sending = await memoryOf(start, readsOf);
  const both = await start();
  const ofBoth = await slowestOf(await readsOf(both), relay);
  await both.stop();
  await start();
  const ofOther = await slowestOf(await readsOf(await start({ WORKER: 'off' })), relay);
  const slowest = (name, { without, beside, sent }) =>
    atMost(
      {
        [`${READS} reads a second`]: name,
        'without mails': without,
        'beside mails': beside,
        'mails a second': sent,
      },
      beside / without,
      BESIDE_GOAL,
      { unit: ' times' },
    );
  return [
    slowest('p99 ms', ofBoth),
    slowest('p99 ms, mails by another process', ofOther),
    atMost(
      {
        [`${READS} reads a second`]: 'MB resident',
        'without mails': idle,
        'beside mails': sending,
        'mails a second': undefined,
      },
      sending / idle,
      BESIDE_GOAL,
      { unit: ' times' },
    ),
  ];
}

export const measures = [measureFar, measureNear, measureTwoProcesses, measureBeside];
