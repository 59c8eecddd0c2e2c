import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/** The account of the operating system that runs the server when this process is root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: the user to drop to, or undefined when this process is not root. */
export function chooseServerUser(clusterDir: string): ServerUser | undefined {
  const ownUid = process.getuid?.();
  const owner = existsSync(clusterDir) ? statSync(clusterDir) : undefined;
  if (ownUid !== 0) {
    if (owner && owner.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        `${clusterDir} belongs to user id ${owner.uid}: start as that user, or choose another DATA_DIR`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUpAccount('postgres') ?? lookUpAccount('nobody');
  if (account) return account;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody" here: start as an ordinary user, or set DATABASE_URL',
  );
}

function lookUpAccount(name: string): ServerUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** Whether the server user may enter the directory, judged by mode bits alone: a "no" only costs a copy. */
export function isReachable(directory: string, user: ServerUser | undefined): boolean {
  if (!user) return true;
  for (let path = directory; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * Beneath a directory that the server user may not enter, such as /root, an absolute path is of no use to it.
 * Its working directory is entered while still root, and /proc/self/cwd leads there without a check. To be
 * given as an argument to a process that runs in this directory.
 */
export function pathForServer(directory: string, user: ServerUser | undefined): string {
  return process.platform !== 'linux' || isReachable(directory, user) ? directory : '/proc/self/cwd';
}

/** Lets the server user pass through the directory, where that is ours to grant. */
export function openToServerUser(dataDir: string, user: ServerUser | undefined): void {
  if (user && statSync(dataDir).uid === 0) chmodSync(dataDir, 0o711);
}

/** Without the PG* variables of the caller, which would steer initdb and the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

export function unusableBinaries(error: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `the PostgreSQL for ${process.platform}-${process.arch} does not run on this system (${error.message}): set DATABASE_URL`,
  );
}

export function lastLine(text: string): string {
  return text.trim().split('\n').pop() ?? '';
}
