import { withClient } from './database.mjs';
import { startEquipped } from './floor.mjs';
import { comparisonOf, latencyInTurns, loadInTurns } from './load.mjs';
import { RESELLERS, seedMillion } from './million-seed.mjs';
import { KEY, makeServiceKey } from './people.mjs';
import { atLeast, atMost } from './table.mjs';

/** What other services ask. The service that asks has a service key. */
export const measures = [measureQuestions, measureSearches];

/** Of the rate of GET /whoami (issues 35 and 21). */
const GOALS = { introspection: 0.75, 'forward-auth': 0.9 };
/** Tried: a statement that looks for each credential in one table only, which saves 6 of 70 microseconds. */
const REASONS = {
  introspection: 'the body and the second credential take 55 µs more in Node, 36 µs more in PostgreSQL',
};

/** The processor time of a batch of 100 questions, in those of one. */
const BATCH_GOAL = 12;
const BATCH = 100;

/** Milliseconds of a page of a search, wherever it is. `BENCH_MILLION=100000` for a quicker run of the same. */
const SEARCH_GOAL = 50;
const LARGE = Number(process.env.BENCH_MILLION ?? 1_000_000);

/** Credentials against GET /whoami, and a batch against one question, side by side in turns. */
async function measureQuestions(stage) {
  const { databaseUrl, service, reads } = await startEquipped(stage, 'bench_asked');
  const { hash } = reads['GET /whoami'];
  await makeServiceKey(databaseUrl);
  const { url, pid } = service;
  const whoami = { url: `${url}/v1/whoami`, hash, pid };
  const targets = {
    introspection: { ...post(service, '/v1/access/introspect', { token: hash }), pid },
    'forward-auth': { url: `${url}/v1/access/forward`, hash, pid },
  };
  const table = [];
  for (const [asked, target] of Object.entries(targets)) {
    const results = await loadInTurns([target, whoami], stage.postgres.pid);
    const comparison = comparisonOf([asked, 'whoami'], results);
    const reason = REASONS[asked];
    table.push(atLeast({ asked, ...comparison }, comparison.ratio, GOALS[asked], { reason }));
  }
  return [...table, await measureBatch(databaseUrl, service, stage.postgres.pid)];
}

/** 100 users of as many organisations, each about its own. */
async function measureBatch(databaseUrl, service, postgresPid) {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query(`SELECT id, organisation_id FROM users ORDER BY id DESC LIMIT ${BATCH}`),
  );
  const evaluations = rows.map(({ id, organisation_id: organisation }) => ({
    subject: { type: 'user', id: String(id) },
    action: { name: 'invitations.create' },
    resource: { type: 'organisation', id: String(organisation) },
  }));
  const targets = [
    post(service, '/access/v1/evaluations', { evaluations }),
    post(service, '/access/v1/evaluation', evaluations[0]),
  ].map((target) => ({ ...target, pid: service.pid }));
  const results = await loadInTurns(targets, postgresPid);
  const [batch, one] = results.map(({ node, postgres }) => node + postgres);
  const row = { asked: `batch of ${BATCH}`, ...comparisonOf(['batch', 'one'], results), ratio: batch / one };
  return atMost(row, row.ratio, BATCH_GOAL, { unit: ' times the processor time' });
}

/** The first page and one far into the results of each search, over a million organisations and twice as many users. */
async function measureSearches(stage) {
  const databaseUrl = await stage.database('bench_search');
  const service = await stage.service(databaseUrl);
  const { organisation, chain } = await seedMillion(databaseUrl, LARGE);
  await makeServiceKey(databaseUrl);
  const idOf = async (condition) =>
    (
      await withClient(databaseUrl, (client) =>
        client.query(`SELECT id FROM users WHERE ${condition} LIMIT 1`),
      )
    ).rows[0].id;
  const admin = await idOf(`roles @> ARRAY['ROLE_ADMIN']`);
  const reseller = await idOf(`organisation_id = ${RESELLERS[1]}`);
  const far = Math.floor(LARGE * 0.9);
  const underReseller = 1000 + Math.floor(LARGE * 0.19);
  const resources = (user, type, place) => ({
    path: 'resource',
    body: {
      subject: { type: 'user', id: String(user) },
      action: { name: type === 'user' ? 'contacts.list' : 'invitations.create' },
      resource: { type },
    },
    place,
  });
  const subjects = (id, name) => ({
    path: 'subject',
    body: {
      subject: { type: 'user' },
      action: { name },
      resource: { type: 'organisation', id: String(id) },
    },
    place: `${id}.1`,
  });
  const searches = {
    'organisations of an admin': resources(admin, 'organisation', `0.${far}`),
    'users of an admin': resources(admin, 'user', `0.${far}`),
    'organisations of a reseller': resources(reseller, 'organisation', `${underReseller}.${underReseller}`),
    'users of a reseller': resources(reseller, 'user', `${underReseller}.0`),
    'users on an organisation': subjects(organisation, 'organisations.read'),
    'managers on the end of a chain': subjects(chain + 6, 'invitations.create'),
  };
  const rows = [];
  for (const [name, { path, body, place }] of Object.entries(searches)) {
    for (const limit of [100, 1000]) {
      const first = post(service, `/access/v1/search/${path}`, { ...body, page: { limit } });
      const digest = await digestOf({ ...first, body: JSON.stringify({ ...body, page: { limit: 1 } }) });
      const token = `${digest}.${limit}.${place}`;
      const deep = post(service, `/access/v1/search/${path}`, { ...body, page: { limit, token } });
      const [atFirst, atDeep] = await latencyInTurns([first, deep], { rounds: 10, warmUp: 3 });
      const row = { search: `${name}, limit ${limit}`, 'first ms': atFirst, 'far ms': atDeep };
      rows.push(atMost(row, Math.max(atFirst, atDeep), SEARCH_GOAL, { unit: ' ms' }));
    }
  }
  return rows;
}

/** What ties tokens to a search: the first part of every token. A search of one page has none, and needs none. */
async function digestOf({ url, method, body }) {
  const headers = { authorization: KEY, 'content-type': 'application/json' };
  const { page } = await (await fetch(url, { method, body, headers })).json();
  if (page.next_token === '') throw new Error(`${url} has one page of ${body}`);
  return page.next_token.split('.')[0];
}

const post = ({ url }, path, body) => ({
  url: `${url}${path}`,
  hash: KEY,
  method: 'POST',
  body: JSON.stringify(body),
});
