import bcrypt from 'bcrypt';
import { availableParallelism } from 'node:os';
import { load, loginLoad, median } from './load.mjs';
import { createMigratedDatabase } from './database.mjs';
import { ADMIN, logIn, startService } from './service.mjs';
import { judged } from './table.mjs';

const COST = 10;
const SECONDS = 8;
/** At thirty logins a second it takes this long until the service's code is compiled. */
const WARM_UP = 10;
const CLIENTS = 8;
const RATE_GOAL = 0.95;
const TAIL_GOAL = 1.5;

/** Logins a second against bare bcrypt, and what a saturation of the cores by logins does to everybody else. */
export async function measureLogins(environment) {
  const databaseUrl = await createMigratedDatabase(environment, 'bench_logins');
  const service = await startService(databaseUrl, 3931, { BCRYPT_COST: String(COST) });
  try {
    const hash = await logIn(service.url);
    const stored = await bcrypt.hash(ADMIN.password, COST);
    const logins = (seconds) => loginLoad(service.url, ADMIN, { seconds, connections: CLIENTS });
    await logins(WARM_UP);
    const bare = [];
    const served = [];
    for (let round = 0; round < 3; round++) {
      bare.push(
        await repeat(availableParallelism(), SECONDS / 2, () => bcrypt.compare(ADMIN.password, stored)),
      );
      served.push(await logins(SECONDS / 2));
    }
    const [bareRate, loginRate] = [bare, served].map(median);
    const rateRatio = loginRate / bareRate;

    const read = { url: `${service.url}/v1/whoami`, hash };
    const gentle = { seconds: SECONDS, connections: 1 };
    await load(read, { seconds: 2, connections: 1 });
    const quiet = await load(read, gentle);
    const [, busy] = await Promise.all([logins(SECONDS + 1), load(read, gentle)]);
    // Autocannon tells whole milliseconds: a quiet p99 below one is one.
    const tailRatio = Math.max(1, busy.p99) / Math.max(1, quiet.p99);
    return [
      judged(
        {
          what: `logins a second of all cores, bcrypt cost ${COST}`,
          measured: loginRate,
          against: bareRate,
          which: 'bare bcrypt',
          ratio: rateRatio,
        },
        { goal: `>= ${RATE_GOAL}`, isMet: rateRatio >= RATE_GOAL },
      ),
      judged(
        {
          what: 'p99 of a read while logins saturate the cores, ms',
          measured: busy.p99,
          against: quiet.p99,
          which: 'the same while it is quiet',
          ratio: tailRatio,
        },
        { goal: `<= ${TAIL_GOAL}`, isMet: tailRatio <= TAIL_GOAL },
      ),
    ];
  } finally {
    await service.stop();
  }
}

/** How often a second `work` ends with so many at it at once. */
async function repeat(workers, seconds, work) {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < end) {
        await work();
        done++;
      }
    }),
  );
  return (done * 1000) / (performance.now() - start);
}
