import { randomBytes } from 'node:crypto';
import { CONTACTS, KEY, makePeople } from './comparable-people.mjs';
import { createMigratedDatabase, postgresPidOf } from './database.mjs';
import { measured, quiet } from './comparable-load.mjs';
import { ADMIN, startService } from './service.mjs';

/** Of each row, unless `--seconds` says otherwise. */
const SECONDS = 600;
/** Not counted: until the service's code is compiled. */
const WARM_UP = 5;
const CONNECTIONS = [16, 600];
const COST = 12;

/**
 * What others publish figures of, in absolute numbers, for docs/performance.md: each request with few and with many
 * connections, each connection a user of its own. One process of the service, PostgreSQL and the client share the machine.
 */
export async function measureComparable(environment) {
  const seconds = Number(environment.seconds ?? SECONDS);
  const databaseUrl = await createMigratedDatabase(environment, 'bench_comparable');
  const settings = { BCRYPT_COST: String(COST), TRUSTED_PROXIES: '127.0.0.1', WORKER: 'off' };
  const service = await startService(databaseUrl, 3991, settings);
  try {
    const people = await makePeople(databaseUrl);
    const postgresPid = await postgresPidOf(databaseUrl);
    const rows = [];
    for (const [request, requestOf] of Object.entries(REQUESTS))
      for (const connections of CONNECTIONS) {
        const target = { url: service.url, requests: people.slice(0, connections).map(requestOf) };
        await measured(target, { connections, seconds: Math.min(WARM_UP, seconds) });
        const pids = { service: service.pid, postgres: postgresPid };
        await quiet(pids);
        const figures = await measured(target, { connections, seconds, pids });
        rows.push({ request, connections, ...figures });
        console.log(markdownOf(rows.slice(-1)).at(-1));
      }
    console.log(`\nFor docs/performance.md, ${seconds} s each:\n\n${markdownOf(rows).join('\n')}\n`);
    return rows;
  } finally {
    await service.stop();
  }
}

const json = { 'content-type': 'application/json' };

/** One request of each person; a body may be a function, for another one each time. */
const REQUESTS = {
  introspection: ({ hash }) => ({
    ...{ method: 'POST', path: '/v1/access/introspect' },
    headers: { ...json, authorization: KEY },
    body: JSON.stringify({ token: hash }),
  }),
  whoami: ({ hash }) => ({ method: 'GET', path: '/v1/whoami', headers: { authorization: hash } }),
  [`contacts page, ${CONTACTS} of a user`]: ({ id, organisationId, hash }) => ({
    method: 'GET',
    path: `/v1/organisations/${organisationId}/users/${id}/contacts?limit=${CONTACTS}`,
    headers: { authorization: hash },
  }),
  [`password login, bcrypt cost ${COST}`]: ({ username }) => ({
    ...{ method: 'POST', path: '/v1/login', headers: json },
    body: JSON.stringify({ username, password: ADMIN.password }),
  }),
  'change of a user': ({ id, organisationId, username, hash }) => ({
    method: 'PATCH',
    path: `/v1/organisations/${organisationId}/users/${id}`,
    headers: { ...json, authorization: hash },
    body: () => JSON.stringify({ username, firstName: randomBytes(6).toString('hex'), lastName: 'de Vries' }),
  }),
};

const text = (value) =>
  Number.isNaN(value)
    ? '–'
    : typeof value === 'number'
      ? value.toLocaleString('en', { maximumFractionDigits: value < 20 ? 1 : 0 })
      : value;

/** Lines of the table of the page. */
function markdownOf(rows) {
  const headers = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(headers),
    line(headers.map(() => '---')),
    ...rows.map((row) => line(headers.map((header) => text(row[header])))),
  ];
}
