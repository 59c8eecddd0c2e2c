import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStampOfRunning, LockHeld, stampOf, withFileLock } from '../concurrency/file-lock.cjs';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/** Longer than a start that has to replay the write-ahead log after a crash. */
const LOCK_TIMEOUT_MS = 150_000;

let uniqueSuffix = 0;

/** Runs one start or stop at a time for a data directory; a lock left by a process that died is taken over. */
export async function withLock<T>(dataDir: string, action: () => Promise<T>): Promise<T> {
  try {
    return await withFileLock(join(dataDir, 'lock'), action, { timeoutMs: LOCK_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof LockHeld) throw new EmbeddedPostgresError(error.message);
    throw error;
  }
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
    writeFileSync(join(this.directory, name), stampOf(process.pid));
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
    const dead = names.filter((name) => !this.isAlive(name));
    for (const name of dead) rmSync(join(this.directory, name), { force: true });
    return names.length - dead.length;
  }

  private isAlive(name: string): boolean {
    try {
      return isStampOfRunning(readFileSync(join(this.directory, name), 'utf8'));
    } catch {
      return false;
    }
  }
}
