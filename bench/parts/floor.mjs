import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { loadInTurns } from './load.mjs';
import { seed } from './seed.mjs';
import { createDatabase, logIn, startService } from './service.mjs';
import { withGoal } from './table.mjs';

const GOAL = 0.6;
const SERVICE_PORT = 3911;
const FLOOR_PORT = 3912;

/**
 * The service against the least that could answer: a hand-written Express handler with the same two prepared
 * statements on the same database, without validation, decisions, shapes, logs or metrics.
 */
export async function measureFloor({ serverUrl, built }) {
  const databaseUrl = await createDatabase(serverUrl, 'bench_floor');
  await built('libs/core/jobs/migrate.js').migrate(databaseUrl);
  const service = await startService(databaseUrl, SERVICE_PORT);
  const { user, rareText } = await seed(databaseUrl, 1000);
  const hash = await logIn(service.url);
  const floor = await startFloor(databaseUrl);
  try {
    const paths = {
      'GET /organisations/{id}/users/{id}': `/v1/organisations/${user.organisation_id}/users/${user.id}`,
      'GET /organisations?filter=…': `/v1/organisations?filter=${rareText}`,
    };
    const rows = [];
    for (const [name, path] of Object.entries(paths)) {
      await checkSameRecord(`${service.url}${path}`, `${floor.url}${path}`, hash);
      const [rate, floorRate] = await loadInTurns([
        { url: `${service.url}${path}`, hash },
        { url: `${floor.url}${path}`, hash },
      ]);
      const ratio = rate / floorRate;
      rows.push({
        request: name,
        'service req/s': rate.toFixed(0),
        'floor req/s': floorRate.toFixed(0),
        ratio: withGoal(ratio, `>= ${GOAL}`, ratio >= GOAL),
      });
    }
    return rows;
  } finally {
    await service.stop();
    await floor.stop();
  }
}

async function startFloor(databaseUrl) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'floor-server.mjs'), databaseUrl, String(FLOOR_PORT)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return {
    url: `http://127.0.0.1:${FLOOR_PORT}`,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** A floor that answers something else would be no floor. */
async function checkSameRecord(url, floorUrl, hash) {
  const [answer, floorAnswer] = await Promise.all(
    [url, floorUrl].map(async (address) =>
      (await fetch(address, { headers: { authorization: hash } })).json(),
    ),
  );
  const [id, floorId] = [answer, floorAnswer].map((body) => body.user?.id ?? body.organisations?.[0]?.id);
  if (id === undefined || id !== floorId) throw new Error(`${url} and its floor answer different records`);
}
