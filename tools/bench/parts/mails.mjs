import { setTimeout as pause } from 'node:timers/promises';
import { startRelay } from './mail-relay.mjs';
import { json, makeOrganisation, makePerson } from './people.mjs';
import { logIn } from './service.mjs';
import { atLeast, atMost, quantile } from './table.mjs';

/** Recipients of one notification. */
const RECIPIENTS = Number(process.env.BENCH_MAILS ?? 2000);
/** Of one user, at most. */
const CONTACTS = 50;
/** Mails over which the rate is taken, at most. */
const MEASURED = 1000;
/** Milliseconds of a relay that is 20 ms away. */
const FAR = { greeting: 100, roundTrip: 20, accept: 100 };
/** Ten connections of 180 ms a mail give 55. */
const FAR_GOAL = 45;
const NEAR_GOAL = 150;
/** Milliseconds above those without other mails. */
const RECOVERY_GOAL = 1000;
const INVITATION_GOAL = 2000;
const NOTIFICATION_GOAL = 2000;
const LONGEST = 600_000;

async function setUp(stage, name, latencies) {
  const relay = await startRelay(stage, latencies);
  const databaseUrl = await stage.database(name);
  const settings = { SMTP_URL: relay.url, MAIL_HOURLY_LIMIT: 'off' };
  const service = await stage.service(databaseUrl, settings);
  const client = await stage.client(databaseUrl);
  const hash = await logIn(service.url);
  const post = async (path, body) => {
    const request = { method: 'POST', headers: json(hash), body: JSON.stringify(body) };
    const response = await fetch(`${service.url}/v1${path}`, request);
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
  const notify = (id) => post(`/organisations/${id}/notifications`, { type: 'x', group: 'App' });
  return { relay, client, post, organisation, notify };
}

async function arrivalOf({ arrivals }, address) {
  const end = performance.now() + LONGEST;
  while (!arrivals.has(address)) {
    if (performance.now() > end) throw new Error(`no mail to ${address}`);
    await pause(2);
  }
  return arrivals.get(address);
}

/** Milliseconds until each of three mails arrives: a recovery, and two of other organisations. */
async function othersOf({ relay, client, post, organisation, notify }, round) {
  const person = await makePerson(client, await makeOrganisation(client));
  const inviting = await makeOrganisation(client);
  const telling = await organisation(1, `other${round}.example`);
  const invited = `invited${round}@bench.example`;
  const begun = performance.now();
  await post('/resetting/send_email', { username: person.username });
  await post(`/organisations/${inviting}/invitations`, { email: invited, firstName: 'A', lastName: 'B' });
  await notify(telling);
  const addresses = [person.username, invited, `1@other${round}.example`];
  return Promise.all(addresses.map(async (address) => (await arrivalOf(relay, address)) - begun));
}

async function measureFar(stage) {
  const stageOf = await setUp(stage, 'bench_mails_far', FAR);
  const { relay, organisation, notify } = stageOf;
  const alone = await othersOf(stageOf, 0);
  const many = await organisation(RECIPIENTS, 'many.example');
  await notify(many);
  await arrivalOf(relay, '1@many.example');
  const behind = await othersOf(stageOf, 1);
  const rate = await rateOf(relay);
  const later = (name, index, goal) =>
    atMost(
      { mail: name, 'ms alone': alone[index], [`ms behind ${RECIPIENTS}`]: behind[index] },
      behind[index] - alone[index],
      goal,
      { unit: ' ms more' },
    );
  return [
    atLeast(
      { relay: '20 ms away', 'mails a second': rate, connections: relay.connections() },
      rate,
      FAR_GOAL,
    ),
    later('recovery', 0, RECOVERY_GOAL),
    later('invitation of another organisation', 1, INVITATION_GOAL),
    later('notification of another organisation', 2, NOTIFICATION_GOAL),
  ];
}

async function measureNear(stage) {
  const { relay, organisation, notify } = await setUp(stage, 'bench_mails_near', {});
  await notify(await organisation(RECIPIENTS, 'many.example'));
  const rate = await rateOf(relay);
  return [
    atLeast(
      { relay: 'without latency', 'mails a second': rate, connections: relay.connections() },
      rate,
      NEAR_GOAL,
    ),
  ];
}

/** Of the mails to many, the middle four fifths of those that arrive. */
async function rateOf({ arrivals }) {
  const wanted = Math.min(RECIPIENTS, MEASURED);
  const ofMany = () => [...arrivals].filter(([to]) => to.endsWith('@many.example')).map(([, time]) => time);
  const end = performance.now() + LONGEST;
  while (ofMany().length < wanted && performance.now() < end) await pause(100);
  const times = ofMany();
  const [first, last] = [quantile(times, 0.1), quantile(times, 0.9)];
  return (times.filter((time) => time >= first && time < last).length * 1000) / (last - first);
}

export const measures = [measureFar, measureNear];
