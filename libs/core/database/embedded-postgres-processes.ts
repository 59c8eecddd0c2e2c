import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** The name of the program a process runs, or undefined when it does not run. */
export function processName(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxName(pid);
  return nameByPs(pid)?.split('/').pop();
}

/** The working directory of a process, or undefined when this system does not tell. */
export function processDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** "pid (name) state …" (proc(5)): the name may hold spaces and brackets. */
function linuxName(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  } catch {
    return undefined;
  }
}

function nameByPs(pid: number): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}
