import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
} from 'node:fs';
import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { isReachable, type ServerUser } from './embedded-postgres-user';

interface LibraryLink {
  /** Both paths start with `native/`. */
  source: string;
  target: string;
}

/**
 * The directory with `bin`, `lib` and `share` of the PostgreSQL of this platform, as the server user can run
 * it. It is the one inside node_modules, or a copy: where node_modules lies beneath a directory that the
 * server user may not enter, or lacks the library links (installed with --ignore-scripts) and is read-only.
 */
export function locateBinaries(dataDir: string, user: ServerUser | undefined): string {
  const installed = installedBinaries();
  const links = missingLinks(installed);
  const reachable = isReachable(installed, user);
  if (reachable && links.length === 0) return installed;
  if (reachable && isWritable(join(installed, 'lib'))) {
    makeLinks(installed, links);
    return installed;
  }
  return copiedBinaries(installed, user ? ['/var/lib', '/var/tmp', tmpdir()] : [dataDir]);
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Installed as a dependency of embedded-postgres: hoisted beside it or nested beneath it.
    const entry = require.resolve(name, {
      paths: [dirname(require.resolve('embedded-postgres')), __dirname],
    });
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new EmbeddedPostgresError(
      `the embedded PostgreSQL is not installed or does not exist for ${process.platform}-${process.arch}: set DATABASE_URL`,
    );
  }
}

function missingLinks(native: string): LibraryLink[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as LibraryLink[];
  return links.filter(({ target }) => !existsSync(join(dirname(native), target)));
}

function makeLinks(native: string, links: LibraryLink[]): void {
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(dirname(native), target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
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
      // Full, read-only or taken by someone else: the next place.
    }
  }
  throw new EmbeddedPostgresError(`cannot copy PostgreSQL to ${parents.join(' or ')}: set DATABASE_URL`);
}

/** Others may write to /tmp: what is run from there must be made by this user and closed to the rest. */
function isOurs(home: string): boolean {
  if (!existsSync(home)) return false;
  const { uid, mode } = lstatSync(home);
  return uid === process.getuid?.() && (mode & 0o022) === 0 && lstatSync(home).isDirectory();
}

function copyTo(home: string, installed: string): string {
  const staging = mkdtempSync(`${home}-`);
  try {
    chmodSync(staging, 0o755);
    const native = join(staging, 'native');
    mkdirSync(native, { mode: 0o755 });
    for (const part of ['bin', 'lib', 'share']) {
      cpSync(join(installed, part), join(native, part), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig',
      });
    }
    cpSync(join(installed, 'pg-symlinks.json'), join(native, 'pg-symlinks.json'));
    makeLinks(native, missingLinks(native));
    execFileSync('chmod', ['-R', 'u+rwX,go=rX', native]);
    renameSync(staging, home);
    return home;
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (isOurs(home)) return home;
    throw error;
  }
}
