/** Figures of running processes from Linux's /proc; 0 on other systems. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of the counters, on every Linux that Node runs on. */
const TICKS = 100;

const read = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

/**
 * `stat` behind the process's name, which may hold spaces: state, parent, …; empty
 * where the process has ended.
 */
const statOf = (pid) =>
  read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');

export const parentOf = (pid) => Number(statOf(pid)[1]);

/** The process and those that it has started. */
export const groupOf = (pid) => [
  pid,
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid),
];

/**
 * Microseconds of processor time that a process and those it has started have taken, the ended ones among
 * them. A counter of ticks: only differences over seconds mean something.
 */
export function processorTimeOf(pid) {
  const [, , , , , , , , , , , user, system, endedUser, endedSystem] = statOf(pid).map(Number);
  const running = groupOf(pid)
    .slice(1)
    .map(statOf)
    .reduce((sum, stat) => sum + (Number(stat[11]) + Number(stat[12]) || 0), 0);
  return ((user + system + endedUser + endedSystem + running || 0) / TICKS) * 1e6;
}

const megabytes = (pid, file, line) =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(read(pid, file))?.[1] ?? 0) / 1024;

/** Memory of one process, as `top` shows it. */
export const residentMegabytes = (pid) => megabytes(pid, 'status', 'VmRSS');

/** Memory of a process and those it has started, each shared page counted once. */
export const groupMegabytes = (pid) =>
  groupOf(pid).reduce((sum, one) => sum + megabytes(one, 'smaps_rollup', 'Pss'), 0);

/** The result of `work`, and the peak growth of the process's memory meanwhile, in MB. */
export async function withMemoryGrowth(pid, work) {
  const before = residentMegabytes(pid);
  let highest = before;
  const sampling = setInterval(() => (highest = Math.max(highest, residentMegabytes(pid))), 20);
  try {
    const result = await work();
    return { result, growth: Math.max(highest, residentMegabytes(pid)) - before };
  } finally {
    clearInterval(sampling);
  }
}
