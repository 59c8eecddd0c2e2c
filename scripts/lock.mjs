import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Runs the action while no other process holds this lock; that of a process that died is taken over. */
export async function withLock(lock, action) {
  const own = `${lock}.${process.pid}`;
  // Written first and linked after: the lock is never seen without its content.
  writeFileSync(own, stampOf(process.pid));
  let waiting = false;
  while (!tryLink(own, lock)) {
    const holder = read(lock);
    if (holder === undefined) continue;
    const holderPid = Number.parseInt(holder, 10);
    if (holder !== stampOf(holderPid)) {
      takeAway(lock, own, holder);
      continue;
    }
    if (!waiting) console.log(`Waiting for process ${holderPid}, which installs or builds ...`);
    waiting = true;
    await pause(200);
  }
  rmSync(own, { force: true });
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await action();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/** Process id and start time (field 22 of proc(5)), so that a process that got the id later is told apart. */
function stampOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return isRunning(pid) ? `${pid}` : 'ended';
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

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

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
