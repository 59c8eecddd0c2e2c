import { setTimeout as wait } from 'node:timers/promises';
import { createMigratedDatabase } from './database.mjs';
import { residentMegabytes } from './linux-processes.mjs';
import { startService } from './service.mjs';
import { judged } from './table.mjs';

const READY_GOAL = 1000;
const MEMORY_GOAL = 120;
/** Milliseconds: some twenty seconds after the start V8 sees that nothing is asked for, and gives the start's garbage back. */
const IDLE = 30_000;

/** Time from process start to the first request on a migrated database, and memory when idle (Linux). */
export async function measureMemory(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_memory');
  await (await startService(databaseUrl, 3941)).stop();
  const service = await startService(databaseUrl, 3941);
  try {
    const atStart = residentMegabytes(service.pid);
    await wait(IDLE);
    const resident = residentMegabytes(service.pid);
    return [
      atMost('ready after, ms', service.readyAfter, READY_GOAL),
      atMost('resident when idle, MB', resident, MEMORY_GOAL),
      { what: 'resident when ready, MB', measured: atStart },
    ];
  } finally {
    await service.stop();
  }
}

const atMost = (what, measured, goal) =>
  judged({ what, measured }, { goal: `<= ${goal}`, isMet: measured <= goal });
