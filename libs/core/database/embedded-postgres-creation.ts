import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateBinaries } from './embedded-postgres-binaries';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { lastLine, pathForServer, serverEnvironment, type ServerUser } from './embedded-postgres-user';
import { unusableBinaries } from './embedded-postgres-user';

/** What a new cluster is made of. */
export interface NewCluster {
  dataDir: string;
  /** Where the cluster ends up, in dataDir. */
  directory: string;
  user: ServerUser | undefined;
  superuser: string;
  password: string;
  durable: boolean;
}

/** Made aside and renamed, so that an interrupted initdb leaves no half cluster. */
export function createCluster({ dataDir, directory, user, superuser, password, durable }: NewCluster): void {
  const staging = mkdtempSync(join(dataDir, 'initdb-'));
  try {
    const cluster = join(staging, 'cluster');
    const passwordFile = join(staging, 'password');
    mkdirSync(cluster, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user) for (const path of [staging, cluster, passwordFile]) chownSync(path, user.uid, user.gid);
    const { status, stderr, error } = spawnSync(
      join(locateBinaries(dataDir, user), 'bin/initdb'),
      [
        ...['-D', pathForServer(cluster, user), '-U', superuser, '--pwfile', '../password'],
        ...['--auth', 'scram-sha-256', '-E', 'UTF8', '--no-instructions'],
        // Knows Unicode without depending on the locales of the machine.
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
        ...(durable ? [] : ['--no-sync']),
      ],
      {
        cwd: cluster,
        env: serverEnvironment(),
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
        ...user,
      },
    );
    if (error) throw unusableBinaries(error);
    if (status !== 0) throw new EmbeddedPostgresError(`initdb failed in ${dataDir}: ${lastLine(stderr)}`);
    renameSync(cluster, directory);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
