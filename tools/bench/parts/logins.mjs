import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import bcrypt from 'bcrypt';
import { loginLoad, tailOf } from './load.mjs';
import { seed } from './seed.mjs';
import { ADMIN, logIn } from './service.mjs';
import { atLeast, atMost, median } from './table.mjs';

export const measures = [measureLogins];

const COST = 10;
const SECONDS = 8;
/** At thirty logins a second it takes this long until the service's code is compiled. */
const WARM_UP = 10;
/** Users who log in at once; of one alone no more than two passwords are checked at a time. */
const USERS = 8;
const RATE_GOAL = 0.96;
const TAIL_GOAL = 1.5;
/**
 * Why the goals are not reached. Below or above these bounds a row has become worse
 * than it was on 2026-11-26.
 */
const LEAST_RATE = 0.9;
const MOST_TAIL = 2.2;
const REASONS = {
  rate: 'a login also takes some 4 ms of the main thread and 3 ms of PostgreSQL, beside 50 ms of bcrypt',
  tail: 'two hashing threads, of lower priority, share two cores with the thread that answers and with PostgreSQL',
};

/**
 * Logins a second against bare bcrypt, and what a saturation of the cores by logins does to everybody else.
 */
async function measureLogins(stage) {
  const databaseUrl = await stage.database('bench_logins');
  const service = await stage.service(databaseUrl, { BCRYPT_COST: String(COST) });
  const hash = await logIn(service.url);
  const stored = await bcrypt.hash(ADMIN.password, COST);
  const { users } = await seed(databaseUrl, 1000);
  const credentials = users.slice(0, USERS).map((username) => ({ username, password: ADMIN.password }));
  const logins = (seconds) => loginLoad(service.url, credentials, { seconds });
  await logins(WARM_UP);
  const bare = [];
  const served = [];
  for (let round = 0; round < 3; round++) {
    bare.push(
      await repeat(availableParallelism(), SECONDS / 2, () => bcrypt.compare(ADMIN.password, stored)),
    );
    served.push(await logins(SECONDS / 2));
  }
  const read = { url: `${service.url}/v1/whoami`, hash };
  await tailOf(read, { seconds: 2 });
  const quiet = [];
  const busy = [];
  for (let round = 0; round < 3; round++) {
    quiet.push(await tailOf(read, { seconds: SECONDS / 2 }));
    const [, tail] = await Promise.all([
      logins(SECONDS / 2 + 1),
      wait(500).then(() => tailOf(read, { seconds: SECONDS / 2 })),
    ]);
    busy.push(tail);
  }
  const [rate, bareRate] = [served, bare].map(median);
  const [tail, quietTail] = [busy, quiet].map(median);
  const rates = {
    what: `logins a second of all cores, bcrypt cost ${COST}`,
    measured: rate,
    against: bareRate,
    which: 'bare bcrypt',
    ratio: rate / bareRate,
  };
  const tails = {
    what: 'p99 of a read while logins saturate the cores, ms',
    measured: tail,
    against: quietTail,
    which: 'the same while it is quiet',
    ratio: tail / quietTail,
  };
  const reasons = {
    rate: rates.ratio < LEAST_RATE ? undefined : REASONS.rate,
    tail: tails.ratio > MOST_TAIL ? undefined : REASONS.tail,
  };
  return [
    atLeast(rates, rates.ratio, RATE_GOAL, { reason: reasons.rate }),
    atMost(tails, tails.ratio, TAIL_GOAL, { reason: reasons.tail }),
  ];
}

/** Completed runs of `work` a second, with this many workers. */
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
