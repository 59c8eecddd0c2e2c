import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { comparisonOf, loadInTurns } from './load.mjs';
import { FIRST_CUSTOMER, seed } from './seed.mjs';
import { logIn } from './service.mjs';
import { atMost } from './table.mjs';

export const measures = [measureRetries];

/** Processor time of a request in Node and PostgreSQL, in that of the other side. */
const GOALS = {
  'POST without key': 1.02,
  'POST with key': 1.15,
  'GET with tag': 1.03,
  'GET with If-None-Match': 1.03,
};

const REASONS = {
  'POST with key':
    'a statement looks for the response, another seals it into six indexes: each costs both processes a turn',
  'GET with tag': 'reading the version takes PostgreSQL 3 to 4 µs, and the header takes Node some more',
};

const CUSTOMERS = 1000;

const WITHOUT = join(import.meta.dirname, 'without-mechanisms.cjs');

/**
 * Safe retries and entity tags: the service against the same build without both
 * (without-mechanisms.cjs), on one database in turns. The ratio is that of processor time, which other
 * work on the machine changes less than the rate.
 */
async function measureRetries(stage) {
  const databaseUrl = await stage.database('bench_retries');
  const settings = { WORKER: 'off', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const service = await stage.service(databaseUrl, settings);
  const without = await stage.service(databaseUrl, settings, ['-r', WITHOUT]);
  await seed(databaseUrl, CUSTOMERS);
  const hash = await logIn(service.url);
  const tag = await assertComparable({ service, without }, hash);
  const post = ({ url, pid }, header) => ({ url, pid, hash, ...teamPosts(header) });
  const get = ({ url, pid }, headers) => ({
    url: `${url}/v1/organisations/${FIRST_CUSTOMER}`,
    pid,
    hash,
    status: headers['if-none-match'] === tag ? 304 : 200,
    setup: (request) => ({ ...request, headers: { ...request.headers, ...headers } }),
  });
  // The other side sends a header of the same length that means nothing, so that sending costs the same.
  const comparisons = {
    'POST without key': [post(service, 'x-bench-no-key'), post(without, 'x-bench-no-key')],
    'POST with key': [post(service, 'idempotency-key'), post(service, 'x-bench-no-key')],
    'GET with tag': [get(service, { 'x-none-match': tag }), get(without, { 'x-none-match': tag })],
    'GET with If-None-Match': [get(service, { 'if-none-match': tag }), get(service, { 'x-none-match': tag })],
  };
  const rows = [];
  for (const [request, targets] of Object.entries(comparisons)) {
    const results = await loadInTurns(targets, stage.postgres.pid, { rounds: ROUNDS });
    const [one, other] = results.map(({ node, postgres }) => node + postgres);
    const row = { request, ...comparisonOf(['this', 'other'], results), ratio: one / other };
    const told = { unit: ' times the processor time', reason: REASONS[request] };
    rows.push(atMost(row, row.ratio, GOALS[request], told));
  }
  return rows;
}

/** More than elsewhere: the goals are a few per cent. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);

/** New teams of all customers in turn; each request has a value of its own in the header. */
function teamPosts(header) {
  let turn = 0;
  return {
    method: 'POST',
    body: '{}',
    setup(request) {
      const value = randomUUID();
      return {
        ...request,
        path: `/v1/organisations/${FIRST_CUSTOMER + (turn++ % CUSTOMERS)}/teams`,
        headers: { ...request.headers, [header]: value },
        body: JSON.stringify({ name: value }),
      };
    },
  };
}

/**
 * The comparison holds only if one has the mechanisms and the other has not. Gives the tag of the customer.
 */
async function assertComparable({ service, without }, hash) {
  const tagAt = async ({ url }) =>
    (
      await fetch(`${url}/v1/organisations/${FIRST_CUSTOMER}`, { headers: { authorization: hash } })
    ).headers.get('etag');
  const keptAt = async ({ url }) => {
    const headers = {
      authorization: hash,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const send = () =>
      fetch(`${url}/v1/organisations/${FIRST_CUSTOMER}/teams`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: headers['idempotency-key'] }),
      });
    await send();
    return (await send()).headers.get('idempotency-replayed');
  };
  const tag = await tagAt(service);
  const found = [tag !== null, (await keptAt(service)) === 'true', (await tagAt(without)) === null];
  if (!found.every(Boolean) || (await keptAt(without)) !== null)
    throw new Error('The two services do not differ as they should');
  return tag;
}
