import { assertTreeWhole, tablesOnDisk } from './database.mjs';
import { withMemoryGrowth } from './linux-processes.mjs';
import { latencyInTurns } from './load.mjs';
import { RESELLERS, seedMillion } from './million-seed.mjs';
import { ADMIN, logIn } from './service.mjs';
import { median, withGoal } from './table.mjs';

export const measures = [measureMillion];

const SMALL = 1000;
/** `BENCH_MILLION=100000` for a quicker run of the same. */
const LARGE = Number(process.env.BENCH_MILLION ?? 1_000_000);
const RATIO_GOAL = 1.2;
/** Milliseconds. */
const TIME_GOAL = 50;
/** A page for an admin under a search that matches everything. */
const SEARCH_GOAL = 300;
const CREATE_GOAL = 50;
const MOVE_GOAL = 500;

const COUNTS_ALL =
  'its total is described, and counts every match: one process of PostgreSQL looks at each text';
const SCANS = 'two letters are no trigram: one process of PostgreSQL looks at each text';
const SKIPS = 'OFFSET is described: the rows before it are walked over in the index';

/** Reads that must not grow with the number of organisations. */
const flat = (path) => ({ path, hash: 'admin', goal: 'ratio' });
/** Reads whose work is bounded in time, or grows for a reason. */
const timed = (path, reason, most = TIME_GOAL) => ({ path, hash: 'admin', goal: 'time', most, reason });

function readsOf({ count, organisation, user, rareText }) {
  const own = `/organisations/${organisation}`;
  const far = Math.floor(count * 0.9);
  return {
    'GET /organisations': flat('/organisations'),
    '… ?limit=100': flat('/organisations?limit=100'),
    '… ?orderBy=name': flat('/organisations?orderBy=name'),
    '… ?orderBy=taxNumber, descending': flat('/organisations?orderBy=taxNumber&orderType=DESC'),
    '… ?orderBy=city': flat('/organisations?orderBy=city'),
    '… ?filter of one match': timed(`/organisations?filter=${rareText}`),
    '… ?filter of all': timed('/organisations?filter=Dorpsstraat', COUNTS_ALL, SEARCH_GOAL),
    '… ?filter of two letters': timed('/organisations?filter=9f', SCANS, SEARCH_GOAL),
    '… ?externalId': timed('/organisations?externalId=EXT77'),
    '… ?userEmail': timed('/organisations?userEmail=user77%40bench'),
    '… far into it': timed(`/organisations?offset=${far}`, SKIPS),
    '… far into it, by name': timed(`/organisations?orderBy=name&offset=${far}`, SKIPS),
    "reseller's GET /organisations": { ...flat('/organisations'), hash: 'reseller' },
    "reseller's …/organisations": {
      ...flat(`/organisations/${RESELLERS[0]}/organisations`),
      hash: 'reseller',
    },
    "reseller's …/organisations?filter": {
      ...timed(`/organisations/${RESELLERS[0]}/organisations?filter=aa1`),
      hash: 'reseller',
    },
    'GET /organisations/{id}': flat(own),
    'GET …/users': flat(`${own}/users`),
    'GET …/users/{id}': flat(`${own}/users/${user}`),
    'GET …/users/{id}/contacts': flat(`${own}/users/${user}/contacts`),
    'GET …/contacts': flat(`${own}/contacts`),
    'GET …/teams': flat(`${own}/teams`),
    'GET …/invitations': flat(`${own}/invitations`),
    'GET …/notifications/crm': flat(`${own}/notifications/crm`),
    'GET …/users/{id}/sshkeys': flat(`${own}/users/${user}/sshkeys`),
    'GET …/users/{id}/apikeys': flat(`${own}/users/${user}/apikeys`),
    'GET …/users/{id}/logins': flat(`${own}/users/${user}/logins`),
    'GET /whoami': flat('/whoami'),
  };
}

/**
 * What requests of both variants cost with a million organisations against 1,000, and what
 * changes of the tree cost.
 */
async function measureMillion(stage) {
  const sizes = [];
  for (const count of [SMALL, LARGE]) {
    const databaseUrl = await stage.database(`bench_million_${count}`);
    const a = await stage.service(databaseUrl, { BCRYPT_COST: '4', LIST_LIMIT_MAX: '100000' });
    const b = await stage.service(databaseUrl, { BCRYPT_COST: '4', API_VARIANT: 'B' });
    const began = performance.now();
    const seeded = await seedMillion(databaseUrl, count);
    if (count === SMALL) await assertTreeWhole(databaseUrl);
    console.log(`${count} organisations and ${2 * count} users seeded in ${secondsSince(began)} s`);
    const reseller = { username: `reseller${RESELLERS[0]}@bench.example`, password: ADMIN.password };
    const hashes = { admin: await logIn(a.url), reseller: await logIn(a.url, reseller) };
    sizes.push({ A: a, B: b, seeded, hashes, databaseUrl });
  }
  const [, large] = sizes;
  // Before anything else is written.
  const tables = await tablesOnDisk(large.databaseUrl);
  return [
    ...(await measureReads(sizes, 'A')),
    ...(await measureReads(sizes, 'B')),
    await measureCsv(large),
    await measureWrites('POST /organisations', CREATE_GOAL, sizes, create),
    await measureWrites('move of a chain of seven', MOVE_GOAL, sizes, move),
    ...tables,
  ];
}

const secondsSince = (began) => ((performance.now() - began) / 1000).toFixed(1);

async function measureReads(sizes, variant) {
  const [small, large] = sizes.map(({ seeded }) => readsOf(seeded));
  const rows = [];
  for (const [name, { goal, most, reason }] of Object.entries(large)) {
    const targets = sizes.map((size, index) => {
      const { path, hash } = [small, large][index][name];
      return { url: `${size[variant].url}/v1${path}`, hash: size.hashes[hash] };
    });
    if (!(await isServed(targets[0]))) continue;
    const isSlow = reason !== undefined;
    const turns = isSlow ? { rounds: 5, warmUp: 2 } : { rounds: 40, warmUp: 20 };
    const [before, after] = await latencyInTurns(targets, turns);
    const ratio = after / before;
    const isMet = goal === 'ratio' ? ratio <= RATIO_GOAL : after <= most;
    const wanted = goal === 'ratio' ? `<= ${RATIO_GOAL} times` : `<= ${most} ms`;
    rows.push(rowOf({ request: `${variant} ${name}`, before, after, wanted, isMet, reason }));
  }
  return rows;
}

const rowOf = ({ request, before, after, wanted, isMet, reason }) =>
  withGoal(
    {
      request,
      [`ms at ${SMALL}`]: before,
      [`ms at ${LARGE}`]: after,
      ratio: before === undefined ? undefined : after / before,
    },
    { goal: wanted, isMet, reason },
  );

/** A variant without the route has nothing to measure; any other refusal is a fault of this measurement. */
async function isServed({ url, hash }) {
  const response = await fetch(url, { headers: { authorization: hash } });
  const text = await response.text();
  if (response.status === 404 && text.includes('Resource not found')) return false;
  if (response.status === 200) return true;
  throw new Error(`${url} answered ${response.status}: ${text}`);
}

const FIRST_BYTE_GOAL = 500;

async function measureCsv({ A: { url, pid }, hashes, seeded }) {
  const { result, growth } = await withMemoryGrowth(pid, () =>
    readCsv(`${url}/v1/organisations`, hashes.admin, seeded.count),
  );
  const { firstByte, whole } = result;
  return rowOf({
    request: `csv of all: first byte (whole ${(whole / 1000).toFixed(1)} s, ${growth.toFixed(0)} MB more)`,
    after: firstByte,
    wanted: `<= ${FIRST_BYTE_GOAL} ms`,
    isMet: firstByte <= FIRST_BYTE_GOAL,
  });
}

/**
 * Milliseconds until the first byte of a list as csv and until its last; fails where it
 * has fewer lines than rows.
 */
async function readCsv(url, hash, rows) {
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization: hash, accept: 'text/csv' } });
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  let firstByte;
  let lines = 0;
  for await (const chunk of response.body) {
    firstByte ??= performance.now() - start;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  if (lines < rows) throw new Error(`${url} gave ${lines} lines`);
  return { firstByte, whole: performance.now() - start };
}

async function measureWrites(request, goal, sizes, write) {
  const times = [];
  for (const { A, hashes, seeded } of sizes) {
    const taken = [];
    for (let turn = 0; turn < 11; turn++) {
      const began = performance.now();
      await write({ url: `${A.url}/v1`, hash: hashes.admin, seeded, turn });
      // The first one pays for what is compiled.
      if (turn > 0) taken.push(performance.now() - began);
    }
    times.push(median(taken));
  }
  const [before, after] = times;
  return rowOf({ request, before, after, wanted: `<= ${goal} ms`, isMet: after <= goal });
}

async function send(url, hash, method, body) {
  const response = await fetch(url, {
    method,
    headers: { authorization: hash, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status >= 300)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
}

const create = ({ url, hash, turn }) =>
  send(`${url}/organisations`, hash, 'POST', { name: `New ${turn}`, taxNumber: `NEW${turn}` });

/** To and fro between two resellers. */
const move = ({ url, hash, seeded, turn }) =>
  send(`${url}/organisations/${seeded.chain}`, hash, 'PATCH', {
    name: 'Moved',
    taxNumber: 'MOVED',
    resellerOrganisation: String(RESELLERS[turn % 2]),
  });
