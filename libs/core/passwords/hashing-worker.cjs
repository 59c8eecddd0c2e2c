// @ts-check
'use strict';

/**
 * One thread that hashes passwords, job after job. JavaScript and not TypeScript, so that the same file runs from the
 * build and from the sources in tests: a thread loads no TypeScript.
 *
 * @import { CryptRoundsInput, HashingOutcome, HashingRequest } from './hashing-threads'
 */

const { createHash } = require('node:crypto');
const { readlinkSync } = require('node:fs');
const { setPriority } = require('node:os');
const { parentPort } = require('node:worker_threads');
const bcrypt = require('bcrypt');

/**
 * A thread of its own instead of libuv's pool, because its priority can be lowered: on two cores with both busy
 * hashing, the p99 of other requests is then 1.1 to 1.3 times that of a quiet service instead of 2 to 2.5 times,
 * at the same number of logins a second. 10 and not 19, so that logins still get a tenth of a core when all cores
 * are busy with other things. On Linux a priority belongs to a thread, elsewhere it is left alone.
 */
const NICENESS = 10;

if (process.platform === 'linux') {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), NICENESS);
  } catch {
    // A sandbox may forbid it: hashing then competes with requests on equal terms, and all else is the same.
  }
}

/** What a thread can do; each job is known to the other side by its name. */
const jobs = {
  /** @param {{ password: string, cost: number }} input */
  bcryptHash: ({ password, cost }) => bcrypt.hashSync(password, cost),

  /** @param {{ password: string, hash: string }} input */
  bcryptCompare: ({ password, hash }) => bcrypt.compareSync(password, hash),

  /**
   * @param {CryptRoundsInput} input
   * @returns {Uint8Array}
   */
  cryptRounds({ algorithm, rounds, first, password, salt }) {
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
  },
};

/**
 * @param {HashingRequest} request
 * @returns {HashingOutcome}
 */
function outcomeOf({ name, input }) {
  try {
    const job = /** @type {(input: unknown) => unknown} */ (jobs[name]);
    return { output: job(input) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (/** @type {HashingRequest} */ request) => {
  parentPort?.postMessage(outcomeOf(request));
});

module.exports = { jobs };
