import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { processIdentity } from './embedded-postgres-processes';

/** Longer than a start that has to replay the write-ahead log after a crash. */
const LOCK_TIMEOUT_MS = 150_000;

let uniqueSuffix = 0;

function ownStamp(): string {
  return `${process.pid} ${processIdentity(process.pid) ?? ''}`;
}

function isAlive(stamp: string): boolean {
  const separator = stamp.indexOf(' ');
  const pid = Number(stamp.slice(0, separator));
  return processIdentity(pid) === stamp.slice(separator + 1);
}

function readStamp(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs one start or stop at a time for a data directory; a lock left by a process that died is taken over. */
export async function withLock<T>(dataDir: string, action: () => Promise<T>): Promise<T> {
  const lock = join(dataDir, 'lock');
  const own = `${lock}.${process.pid}.${++uniqueSuffix}`;
  // Written first and linked after: the lock file is never seen without its content.
  writeFileSync(own, ownStamp());
  try {
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    while (!tryLink(own, lock)) {
      const holder = readStamp(lock);
      if (holder !== undefined && !isAlive(holder)) breakLock(lock, own, holder);
      else if (Date.now() > deadline) {
        throw new EmbeddedPostgresError(`${lock} is held by process ${holder}: end it and start again`);
      } else await pause(20);
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

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function breakLock(lock: string, own: string, holder: string): void {
  const broken = `${own}.broken`;
  try {
    renameSync(lock, broken);
  } catch {
    return; // Another process broke it first.
  }
  // Between reading and renaming, another process may have broken it and locked anew: give that one back.
  if (readStamp(broken) !== holder) tryLink(broken, lock);
  rmSync(broken, { force: true });
}

/** The processes that use one cluster; each has a file under `owners/`, named by its process id. */
export class ClusterOwners {
  private readonly directory: string;

  constructor(dataDir: string) {
    this.directory = join(dataDir, 'owners');
  }

  /** Returns the name to unregister with; one process may register several times. */
  register(): string {
    this.countAlive();
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    const name = `${process.pid}.${++uniqueSuffix}`;
    writeFileSync(join(this.directory, name), ownStamp());
    return name;
  }

  unregister(name: string): void {
    rmSync(join(this.directory, name), { force: true });
  }

  /** Forgets owners that died without saying so. */
  countAlive(): number {
    let names: string[];
    try {
      names = readdirSync(this.directory);
    } catch {
      return 0;
    }
    const dead = names.filter((name) => !isAlive(readStamp(join(this.directory, name)) ?? ''));
    for (const name of dead) rmSync(join(this.directory, name), { force: true });
    return names.length - dead.length;
  }
}
