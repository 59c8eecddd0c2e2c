import { withClient, postgresPidOf } from './database.mjs';
import { startEquipped } from './floor.mjs';
import { comparisonOf, loadInTurns } from './load.mjs';
import { judged } from './table.mjs';

/** Of the rate of GET /whoami (issue 21). */
const GOALS = { introspection: 0.85, 'forward-auth': 0.9 };

/** What other services ask, against GET /whoami, side by side in turns. The service that asks has a service key. */
export async function measureAsked(environment) {
  const { databaseUrl, service, reads } = await startEquipped(environment, 'bench_asked', 3971);
  const postgresPid = await postgresPidOf(databaseUrl);
  const { hash } = reads['GET /whoami'];
  const key = 'a'.repeat(64);
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO service_keys (organisation_id, name, digest, operations, as_admin, expires_at)
       VALUES (1, 'bench', sha256($1::text::bytea), '{access.introspect}', true, now() + interval '1 day')`,
      [key],
    ),
  );
  const { url, pid } = service;
  const whoami = { url: `${url}/v1/whoami`, hash, pid };
  const asked = {
    introspection: {
      ...{ url: `${url}/v1/access/introspect`, hash: key, pid, method: 'POST' },
      body: JSON.stringify({ token: hash }),
    },
    'forward-auth': { url: `${url}/v1/access/forward`, hash, pid },
  };
  try {
    const table = [];
    for (const [name, target] of Object.entries(asked)) {
      const results = await loadInTurns([target, whoami], postgresPid);
      const comparison = comparisonOf([name, 'whoami'], results);
      const goal = GOALS[name];
      table.push(
        judged({ asked: name, ...comparison }, { goal: `>= ${goal}`, isMet: comparison.ratio >= goal }),
      );
    }
    return table;
  } finally {
    await service.stop();
  }
}
