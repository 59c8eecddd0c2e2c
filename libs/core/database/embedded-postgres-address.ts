import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import type { ServerUser } from './embedded-postgres-user';

/** Names the socket within its folder; nothing listens on a TCP port of that number. */
export const SOCKET_PORT = 5432;

/**
 * Bytes of a folder's path. The address of a socket holds 103 bytes (macOS; 107 on Linux), of which PostgreSQL
 * takes up to 15 for "/.s.PGSQL.65535".
 */
const MAX_FOLDER_LENGTH = 85;

/** Not TMPDIR: processes that were given different ones must come to the same folder. */
const SHORT_PARENT = '/tmp';

/** Where a server listens: the folder of its socket, or 127.0.0.1 for a server that an older version started. */
export interface ServerAddress {
  socketFolder: string | undefined;
  port: number;
}

/** The folder as this process writes it, and as the server does, whose working directory is the cluster. */
interface SocketFolder {
  path: string;
  pathForServer: string;
}

/** For the eyes of the operator, without the password. */
export function describe({ socketFolder, port }: ServerAddress): string {
  return socketFolder === undefined ? `127.0.0.1:${port}` : `the socket in ${socketFolder}`;
}

/** The parameter `host` overrules `localhost`, for pg as for libpq. */
export function connectionString(
  { socketFolder, port }: ServerAddress,
  account: { name: string; password: string },
  database: string,
): string {
  const base = `postgresql://${account.name}:${account.password}@`;
  return socketFolder === undefined
    ? `${base}127.0.0.1:${port}/${database}`
    : `${base}localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;
}

/**
 * The folder in which the server of this directory makes its socket, without what a dead server left there. Whoever
 * can enter it could pose as the server, and would be sent the password.
 */
export function prepareSocketFolder(dataDir: string, user: ServerUser | undefined): SocketFolder {
  const folder = socketFolderOf(dataDir);
  makeOwn(folder.path, user);
  // The server would refuse to start when the process id in the lock was given to another program.
  for (const suffix of ['', '.lock']) {
    rmSync(join(folder.path, `.s.PGSQL.${SOCKET_PORT}${suffix}`), { force: true });
  }
  return folder;
}

function socketFolderOf(dataDir: string): SocketFolder {
  const home = realpathSync(dataDir);
  const path = join(home, 'socket');
  // Relative: the server user may be unable to enter what lies above (see pathForServer).
  if (Buffer.byteLength(path) <= MAX_FOLDER_LENGTH) return { path, pathForServer: '../socket' };
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 32);
  const short = join(SHORT_PARENT, `account-api-${digest}`);
  return { path: short, pathForServer: short };
}

function makeOwn(folder: string, user: ServerUser | undefined): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new EmbeddedPostgresError(
        `cannot make ${folder} for PostgreSQL's socket (${(error as Error).message}): choose another DATA_DIR, or set DATABASE_URL`,
      );
    }
  }
  const { uid, mode } = lstatSync(folder);
  const ownUid = process.getuid?.();
  const isOwn = uid === ownUid || uid === user?.uid;
  if (!isOwn || !lstatSync(folder).isDirectory() || (mode & 0o077) !== 0) {
    throw new EmbeddedPostgresError(
      `${folder}, the folder of PostgreSQL's socket, belongs to user id ${uid} or is open to others: remove it, or choose another DATA_DIR`,
    );
  }
  if (user && uid !== user.uid) chownSync(folder, user.uid, user.gid);
}
