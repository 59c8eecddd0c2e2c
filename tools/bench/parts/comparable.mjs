import { measured, quiet } from './comparable-load.mjs';
import { changeOfUser, CONTACTS, json, KEY, loginOf, makePeople } from './people.mjs';

export const measures = [measureComparable];

/** Of each row, unless `--seconds` says otherwise. */
const SECONDS = 600;
/** Not counted: until the service's code is compiled. */
const WARM_UP = 5;
const CONNECTIONS = [16, 600];
const COST = 12;

/**
 * What others publish figures of, in absolute numbers, for docs/performance.md: each request with few and
 * with many connections, each connection a user of its own. One process of the service, PostgreSQL and the
 * client share the machine.
 */
async function measureComparable(stage) {
  const seconds = Number(stage.seconds ?? SECONDS);
  const databaseUrl = await stage.database('bench_comparable');
  const settings = { BCRYPT_COST: String(COST), TRUSTED_PROXIES: '127.0.0.1', WORKER: 'off' };
  const service = await stage.service(databaseUrl, settings);
  const people = await makePeople(databaseUrl);
  const pids = { service: service.pid, postgres: stage.postgres.pid };
  const rows = [];
  for (const [request, requestOf] of Object.entries(REQUESTS))
    for (const connections of CONNECTIONS) {
      const target = { url: service.url, requests: people.slice(0, connections).map(requestOf) };
      await measured(target, { connections, seconds: Math.min(WARM_UP, seconds) });
      await quiet(pids);
      const figures = await measured(target, { connections, seconds, pids });
      rows.push({ request, connections, ...figures });
      console.log(markdownOf(rows.slice(-1)).at(-1));
    }
  console.log(`\nFor docs/performance.md, ${seconds} s each:\n\n${markdownOf(rows).join('\n')}\n`);
  return rows;
}

/** One request of each person. */
const REQUESTS = {
  introspection: ({ hash }) => ({
    method: 'POST',
    path: '/v1/access/introspect',
    headers: json(KEY),
    body: JSON.stringify({ token: hash }),
  }),
  whoami: ({ hash }) => ({ method: 'GET', path: '/v1/whoami', headers: { authorization: hash } }),
  [`contacts page, ${CONTACTS} of a user`]: ({ id, organisationId, hash }) => ({
    method: 'GET',
    path: `/v1/organisations/${organisationId}/users/${id}/contacts?limit=${CONTACTS}`,
    headers: { authorization: hash },
  }),
  [`password login, bcrypt cost ${COST}`]: loginOf,
  'change of a user': changeOfUser,
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
