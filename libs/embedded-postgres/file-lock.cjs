// @ts-check
'use strict';

/**
 * A lock between processes that share a directory. It is plain JavaScript without packages, because the
 * scripts take it before anything is installed or built. The locks of npm packages judge a holder by
 * the age of its file: the lock of a killed process remains for seconds, and a process with a busy
 * event loop loses its own.
 */

const { linkSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');

const POLL_MS = 20;

/** @typedef {{ onWait?: (holder: string) => void, timeoutMs?: number }} LockOptions */

/** The holder kept the lock for too long. The message is one line that says what the operator must do. */
class LockHeld extends Error {}

let uniqueSuffix = 0;

/**
 * Runs the action while no other code, in this process or another, holds the lock. Takes over
 * the lock of a dead process.
 *
 * @template Result
 * @param {string} lock path of the lock's file, in an existing directory
 * @param {() => Promise<Result>} action
 * @param {LockOptions} [options] `onWait` receives the holder's process id once; rejects
 * after `timeoutMs`, if given
 * @returns {Promise<Result>}
 */
async function withFileLock(lock, action, { onWait, timeoutMs = Infinity } = {}) {
  const own = `${lock}.${process.pid}.${++uniqueSuffix}`;
  // Writes the content first and then links the file, so that no process sees the lock without its content.
  writeFileSync(own, `${process.pid} ${startOf(process.pid) ?? ''}`);
  try {
    const deadline = Date.now() + timeoutMs;
    let isWaiting = false;
    while (!tryLink(own, lock)) {
      const holder = read(lock);
      if (holder === undefined) continue;
      const [pid = '', start] = holder.split(' ');
      if (startOf(Number(pid)) !== start) takeAway(lock, own, holder);
      else if (Date.now() > deadline) {
        throw new LockHeld(`${lock} is held by process ${pid}: end it and start again`);
      } else {
        if (!isWaiting) onWait?.(pid);
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
 * Distinguishes a process from a later one with the same id: on Linux by the boot and the start time in it.
 * Undefined if no such process runs. A zombie has ended, because the first process of a container may never
 * collect it. On other systems only whether a process runs.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
function startOf(pid) {
  if (process.platform === 'linux') {
    // "pid (name) state ppid …": the name may contain spaces and brackets; the start
    // time is field 22 (proc(5)).
    const fields = read(`/proc/${pid}/stat`)?.replace(/.*\) /s, '').split(' ');
    if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${fields[19] ?? ''}`;
  }
  try {
    process.kill(pid, 0);
    return 'runs';
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM' ? 'runs' : undefined;
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
  // Another process may have taken over and locked again between reading and renaming: restore its lock.
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

module.exports = { LockHeld, withFileLock };
