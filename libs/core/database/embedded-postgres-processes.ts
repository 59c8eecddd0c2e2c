import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * What tells one process from a later one with the same id: boot and start time. Undefined when no such
 * process runs; a zombie counts as ended, since a container's first process may never collect it.
 */
export function processIdentity(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (process.platform === 'linux') {
    const fields = statFields(pid);
    if (!fields || fields.state === 'Z' || fields.state === 'X') return undefined;
    return `${bootId()}:${fields.startTime}`;
  }
  return processStatus(pid, 'lstart');
}

/** The name of the program a process runs, or undefined when it does not run. */
export function processName(pid: number): string | undefined {
  if (process.platform === 'linux') return statFields(pid)?.name;
  return processStatus(pid, 'comm')?.split('/').pop();
}

/** The working directory of a process, or undefined when this system does not tell. */
export function processDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function statFields(pid: number): { name: string; state: string; startTime: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // "pid (name) state ppid …": the name may hold spaces and brackets; start time is field 22 (proc(5)).
  const end = stat.lastIndexOf(')');
  const rest = stat.slice(end + 2).split(' ');
  return { name: stat.slice(stat.indexOf('(') + 1, end), state: rest[0] ?? '', startTime: rest[19] ?? '' };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function processStatus(pid: number, column: string): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}
