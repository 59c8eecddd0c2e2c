import { startEquipped } from './floor.mjs';
import { comparisonOf, loadInTurns } from './load.mjs';
import { KEY, makeServiceKey } from './people.mjs';
import { atLeast } from './table.mjs';

/** What other services ask. The service that asks has a service key. */
export const measures = [measureQuestions];

/** Of the rate of GET /whoami (issues 35 and 21). */
const GOALS = { introspection: 0.75, 'forward-auth': 0.9 };
/** Tried: a statement that looks for each credential in one table only, which saves 6 of 70 microseconds. */
const REASONS = {
  introspection: 'the body and the second credential take 55 µs more in Node, 36 µs more in PostgreSQL',
};

/** Credentials against GET /whoami, side by side in turns. */
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
  return table;
}

const post = ({ url }, path, body) => ({
  url: `${url}${path}`,
  hash: KEY,
  method: 'POST',
  body: JSON.stringify(body),
});
