// @ts-check
'use strict';

/**
 * The functions of the threads of HashingThreads. This file is JavaScript, because a thread loads no
 * TypeScript: the same file runs from the build and from the sources in tests.
 *
 * @import { CryptRoundsInput } from './crypt-hash'
 */

const { createHash } = require('node:crypto');
const { constants, getPriority, setPriority } = require('node:os');
const { isMainThread } = require('node:worker_threads');
const bcrypt = require('bcrypt');

/**
 * Hashing uses its own threads instead of libuv's pool, because their priority can be lowered. With two cores
 * busy hashing, the p99 of other requests is then 1.1 to 1.3 times that of an idle service instead of 2 to
 * 2.5 times, at the same number of logins a second. 10 and not 19, so that logins still get a tenth of a core
 * when other work occupies all cores.
 */
const NICENESS = 10;

// Only Linux has a priority for each thread. Piscina's `niceIncrement` needs an optional package with native
// code and does nothing without it; the image and deployments install no optional packages.
if (process.platform === 'linux' && !isMainThread) {
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS));
  } catch {
    // A sandbox may forbid a lower priority. Hashing then has the same priority as requests.
  }
}

/** @param {{ password: string, cost: number }} input */
exports.bcryptHash = ({ password, cost }) => bcrypt.hashSync(password, cost);

/** @param {{ password: string, hash: string }} input */
exports.bcryptCompare = ({ password, hash }) => bcrypt.compareSync(password, hash);

/**
 * Compares with all hashes in one job: separate jobs would each wait behind others.
 * @param {{ password: string, hashes: readonly string[] }} input
 */
exports.bcryptWork = ({ password, hashes }) => {
  for (const hash of hashes) bcrypt.compareSync(password, hash);
};

/** @param {() => void} work */
const leastTimeOf = (work) => {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
};

/**
 * The number of rounds of an older scheme that take as long here as one of the 2^cost rounds of bcrypt. Uses
 * the shortest of several measurements, because other load on the machine only lengthens them.
 * @param {Pick<CryptRoundsInput, 'algorithm'> & { hash: string, bcryptRounds: number }} input
 */
exports.roundsPerBcryptRound = ({ algorithm, hash, bcryptRounds }) => {
  const rounds = 500;
  const bytes = Buffer.alloc(16);
  const old = leastTimeOf(() =>
    exports.cryptRounds({ algorithm, rounds, first: bytes, password: bytes, salt: bytes }),
  );
  const own = leastTimeOf(() => bcrypt.compareSync('password', hash));
  return rounds / old / (bcryptRounds / own);
};

/**
 * @param {CryptRoundsInput} input
 * @returns {Uint8Array}
 */
exports.cryptRounds = ({ algorithm, rounds, first, password, salt }) => {
  let digest = first;
  for (let round = 0; round < rounds; round++) {
    const hash = createHash(algorithm);
    hash.update(round % 2 ? password : digest);
    if (round % 3) hash.update(salt);
    if (round % 7) hash.update(password);
    hash.update(round % 2 ? digest : password);
    digest = hash.digest();
  }
  return digest;
};
