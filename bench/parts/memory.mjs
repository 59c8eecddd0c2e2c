import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createDatabase, startService } from './service.mjs';

const READY_GOAL = 1000;
const MEMORY_GOAL = 120;

/** Time from process start to the first request on a migrated database, and memory when idle (Linux). */
export async function measureMemory({ serverUrl, built }) {
  const databaseUrl = await createDatabase(serverUrl, 'bench_memory');
  await built('libs/core/jobs/migrate.js').migrate(databaseUrl);
  await (await startService(databaseUrl, 3941)).stop();
  const service = await startService(databaseUrl, 3941);
  try {
    await wait(5000);
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    const resident = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
    return [
      {
        what: 'ready after, ms',
        measured: service.readyAfter.toFixed(0),
        goal: `<= ${READY_GOAL}: ${service.readyAfter <= READY_GOAL ? 'met' : 'MISSED'}`,
      },
      {
        what: 'resident when idle, MB',
        measured: resident.toFixed(0),
        goal: `<= ${MEMORY_GOAL}: ${resident <= MEMORY_GOAL ? 'met' : 'MISSED'}`,
      },
    ];
  } finally {
    await service.stop();
  }
}
