import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { migrate } from '@app/migrations/migrate';

/**
 * Two servers of one past, as after a failover: one that writes, and one in recovery
 * that knows nothing since.
 */
export interface ServerPair {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  stop(): Promise<void>;
}

/** Starts two real servers; the database holds what `prepare` has written, on both. */
export async function startServerPair(
  prepare: (databaseUrl: string) => Promise<unknown>,
): Promise<ServerPair> {
  const folders = ['primary', 'standby'].map((name) =>
    mkdtempSync(join(tmpdir(), `account-api-scratch-${name}-`)),
  );
  const [primaryFolder = '', standbyFolder = ''] = folders;
  const running: EmbeddedPostgres[] = [];
  const stop = async (): Promise<void> => {
    for (const server of running) await server.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  try {
    // Not as one that is thrown away: that writes too little for another to recover from.
    const first = await startEmbeddedPostgres({ dataDir: primaryFolder });
    running.push(first);
    await migrate(first.url);
    await prepare(first.url);
    await first.stop();
    running.pop();
    copyAsStandby(join(primaryFolder, 'postgres'), join(standbyFolder, 'postgres'));
    const primary = await startEmbeddedPostgres({ dataDir: primaryFolder });
    running.push(primary);
    const standby = await startEmbeddedPostgres({ dataDir: standbyFolder });
    running.push(standby);
    return { primaryUrl: primary.url, standbyUrl: standby.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** With nothing to recover from it stays as it is, and takes reads alone. */
function copyAsStandby(from: string, to: string): void {
  mkdirSync(to, { mode: statSync(from).mode });
  const { uid, gid } = statSync(from);
  chownSync(to, uid, gid);
  for (const name of ['cluster', 'password']) execFileSync('cp', ['-a', join(from, name), join(to, name)]);
  const cluster = join(to, 'cluster');
  const signal = join(cluster, 'standby.signal');
  writeFileSync(signal, '');
  const owner = statSync(cluster);
  chownSync(signal, owner.uid, owner.gid);
}
