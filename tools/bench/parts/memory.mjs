import { setTimeout as wait } from 'node:timers/promises';
import { residentMegabytes } from './linux-processes.mjs';
import { atMost } from './table.mjs';

export const measures = [measureMemory];

const READY_GOAL = 1000;
const MEMORY_GOAL = 120;
/**
 * Milliseconds: some twenty seconds after the start V8 sees that nothing is asked for, and gives
 * the start's garbage back.
 */
const IDLE = 30_000;

/** Time from process start to the first request on a migrated database, and memory when idle (Linux). */
async function measureMemory(stage) {
  const databaseUrl = await stage.database('bench_memory');
  await (await stage.service(databaseUrl)).stop();
  const { pid, readyAfter } = await stage.service(databaseUrl);
  const atStart = residentMegabytes(pid);
  await wait(IDLE);
  const resident = residentMegabytes(pid);
  return [
    atMost({ what: 'ready after, ms', measured: readyAfter }, readyAfter, READY_GOAL),
    atMost({ what: 'resident when idle, MB', measured: resident }, resident, MEMORY_GOAL),
    { what: 'resident when ready, MB', measured: atStart },
  ];
}
