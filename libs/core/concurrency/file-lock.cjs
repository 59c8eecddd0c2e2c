// @ts-check
'use strict';

/**
 * A lock between processes that share a directory. Plain JavaScript on Node alone: the scripts take it before anything
 * is installed or built. For the same reason no library; and those judge a holder by the age of its file, so that the
 * lock of a killed process would stay for seconds, and one whose event loop is busy would lose its own.
 */

const { execFileSync } = require('node:child_process');
const { linkSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');

const POLL_MS = 20;

/** @typedef {{ onWait?: (holder: string) => void, timeoutMs?: number }} LockOptions */

/** The holder did not let go within the time. The message is one line that tells the operator what to do. */
class LockHeld extends Error {}

let uniqueSuffix = 0;

/**
 * Runs the action while no other process, and nothing else in this one, holds the lock. The lock of a process that died
 * is taken over at once.
 *
 * @template Result
 * @param {string} lock path of the lock's file, in a directory that exists
 * @param {() => Promise<Result>} action
 * @param {LockOptions} [options] `onWait` hears once of the holder's process id; rejects after `timeoutMs`, if given
 * @returns {Promise<Result>}
 */
async function withFileLock(lock, action, { onWait, timeoutMs = Infinity } = {}) {
  const own = `${lock}.${process.pid}.${++uniqueSuffix}`;
  // Written first and linked after: the lock is never seen without its content.
  writeFileSync(own, stampOf(process.pid));
  try {
    const deadline = Date.now() + timeoutMs;
    let isWaiting = false;
    while (!tryLink(own, lock)) {
      const holder = read(lock);
      if (holder === undefined) continue;
      const holderPid = holder.split(' ', 1)[0] ?? '';
      if (!isStampOfRunning(holder)) takeAway(lock, own, holder);
      else if (Date.now() > deadline) {
        throw new LockHeld(`${lock} is held by process ${holderPid}: end it and start again`);
      } else {
        if (!isWaiting) onWait?.(holderPid);
        isWaiting = true;
        await pause(POLL_MS);
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
  try {
    return await action();
  } finally {
    rmSync(lock, { force: true });
  }
}

/**
 * A line that names a process, and no later one with the same id.
 *
 * @param {number} pid
 */
function stampOf(pid) {
  return `${pid} ${processIdentity(pid) ?? ''}`;
}

/** @param {string} stamp */
function isStampOfRunning(stamp) {
  const separator = stamp.indexOf(' ');
  return processIdentity(Number(stamp.slice(0, separator))) === stamp.slice(separator + 1);
}

/**
 * What tells one process from a later one with the same id: boot and start time. Undefined when no such
 * process runs; a zombie counts as ended, since a container's first process may never collect it.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
function processIdentity(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform !== 'linux') return startTimeByPs(pid);
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // "pid (name) state ppid …": the name may hold spaces and brackets; start time is field 22 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${fields[19] ?? ''}`;
}

/**
 * @param {number} pid
 * @returns {string | undefined}
 */
function startTimeByPs(pid) {
  try {
    const output = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} lock
 * @param {string} own
 * @param {string} holder
 */
function takeAway(lock, own, holder) {
  const taken = `${own}.taken`;
  try {
    renameSync(lock, taken);
  } catch {
    return; // Another process was first.
  }
  // Between reading and renaming, another may have taken it away and locked anew: give that one back.
  if (read(taken) !== holder) tryLink(taken, lock);
  rmSync(taken, { force: true });
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

module.exports = { LockHeld, withFileLock, stampOf, isStampOfRunning, processIdentity };
