import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processIdentity } from '../concurrency/file-lock.cjs';
import { prepareSocketFolder, type ServerAddress, SOCKET_PORT } from './embedded-postgres-address';
import { locateBinaries } from './embedded-postgres-binaries';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { processDirectory, processName } from './embedded-postgres-processes';
import { lastLine, pathForServer, serverEnvironment, type ServerUser } from './embedded-postgres-user';
import { unusableBinaries } from './embedded-postgres-user';

/** Includes replaying the write-ahead log after a crash. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 5;

/** Sized for a small machine. */
const SETTINGS = {
  // No TCP: while the server restarts, any local user could take its port and be sent the password.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The server's own log tells of starts and crashes; the text of statements may hold personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** For clusters that are thrown away: a crash of the machine destroys them. */
const THROWAWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Its workers would stand in the way of CREATE DATABASE … TEMPLATE.
  autovacuum: 'off',
};

interface PidFile {
  pid: number;
  port: number;
  /** Perhaps relative to the cluster; undefined when the server listens on TCP alone. */
  socketFolder: string | undefined;
  status: string;
}

/** One PostgreSQL cluster on disk and the server process that may run on it. */
export class ClusterServer {
  readonly directory: string;
  private readonly logFile: string;

  constructor(
    private readonly dataDir: string,
    readonly user: ServerUser | undefined,
  ) {
    this.directory = join(dataDir, 'cluster');
    this.logFile = join(dataDir, 'server.log');
  }

  exists(): boolean {
    return existsSync(join(this.directory, 'PG_VERSION'));
  }

  isRunning(): boolean {
    const found = this.readPidFile();
    return found !== undefined && isServer(found.pid, this.directory);
  }

  /** Where the server that already runs on this cluster listens, once it is ready. */
  async runningAddress(): Promise<ServerAddress | undefined> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const found = this.readPidFile();
      if (!found || !isServer(found.pid, this.directory)) return undefined;
      if (found.status === 'ready' && found.port) {
        const { port, socketFolder } = found;
        return { port, socketFolder: socketFolder && resolve(this.directory, socketFolder) };
      }
      if (Date.now() > deadline) throw this.failure(`does not become ready (process ${found.pid})`);
      await pause(POLL_MS);
    }
  }

  /** Starts the server on its socket and waits for it. */
  async start(durable: boolean): Promise<ServerAddress> {
    const folder = prepareSocketFolder(this.dataDir, this.user);
    for (let attempt = 1; ; attempt += 1) {
      const failure = await this.launch(folder.pathForServer, durable);
      if (failure === undefined) return { socketFolder: folder.path, port: SOCKET_PORT };
      // Children of a killed server, which end as soon as they notice.
      const mayPass = /shared memory block .* still in use/.test(failure);
      if (attempt >= 20 || !mayPass) throw this.failure(`did not start: ${failure}`);
    }
  }

  /** Clients that are still connected lose their connection; committed work is kept. */
  async stop(): Promise<void> {
    const pid = this.readPidFile()?.pid;
    if (pid === undefined || !isServer(pid, this.directory)) return;
    const identity = processIdentity(pid);
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      signalProcess(pid, signal);
      const deadline = Date.now() + STOP_TIMEOUT_MS;
      while (Date.now() < deadline) {
        if (processIdentity(pid) !== identity) return;
        await pause(POLL_MS);
      }
    }
    throw this.failure(`does not stop (process ${pid})`);
  }

  /** Returns the server's complaint when it ended instead of becoming ready. */
  private async launch(socketFolder: string, durable: boolean): Promise<string | undefined> {
    this.disownPidFile();
    const logStart = this.openLog();
    const settings = {
      ...SETTINGS,
      unix_socket_directories: socketFolder,
      ...(durable ? {} : THROWAWAY_SETTINGS),
    };
    const child = spawn(
      join(locateBinaries(this.dataDir, this.user), 'bin/postgres'),
      [
        ...['-D', pathForServer(this.directory, this.user), '-p', String(SOCKET_PORT)],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        cwd: this.directory,
        env: serverEnvironment(),
        // A session of its own: Ctrl-C at the terminal reaches the application, which then stops the server.
        detached: true,
        stdio: ['ignore', logStart.descriptor, logStart.descriptor],
        ...this.user,
      },
    );
    let ended = false;
    let spawnError: Error | undefined;
    child.once('exit', () => (ended = true));
    child.once('error', (error) => (spawnError = error));
    child.unref();
    closeSync(logStart.descriptor);
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      await pause(POLL_MS);
      if (spawnError) throw unusableBinaries(spawnError);
      if (ended) return complaint(readFileSync(this.logFile).subarray(logStart.size).toString());
      const found = this.readPidFile();
      if (found && found.pid === child.pid && found.status === 'ready') return undefined;
      if (Date.now() > deadline) {
        child.kill('SIGQUIT');
        throw this.failure('does not become ready');
      }
    }
  }

  /**
   * A dead server leaves its process id behind. PostgreSQL refuses to start while that id is a zombie or was
   * given to another program, as after a restart of a container; the id of its own parent it passes over.
   * The file must stay: its other lines show whether children of the dead server still use the cluster.
   */
  private disownPidFile(): void {
    const file = join(this.directory, 'postmaster.pid');
    if (existsSync(file)) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.pid)));
    }
  }

  private openLog(): { descriptor: number; size: number } {
    if (existsSync(this.logFile) && statSync(this.logFile).size > 10_000_000) {
      renameSync(this.logFile, `${this.logFile}.old`);
    }
    const descriptor = openSync(this.logFile, 'a', 0o600);
    return { descriptor, size: statSync(this.logFile).size };
  }

  /** The lines of postmaster.pid: 1 process id, 4 port, 5 socket's folder, 8 status (PostgreSQL's pidfile.h). */
  private readPidFile(): PidFile | undefined {
    let lines: string[];
    try {
      lines = readFileSync(join(this.directory, 'postmaster.pid'), 'utf8').split('\n');
    } catch {
      return undefined;
    }
    const [pid, , , port, socketFolder, , , status] = lines;
    return {
      pid: Number(pid),
      port: Number(port),
      socketFolder: socketFolder || undefined,
      status: status?.trim() ?? '',
    };
  }

  private failure(what: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `the embedded PostgreSQL in ${this.dataDir} ${what}; see ${this.logFile}, or set DATABASE_URL`,
    );
  }
}

function isServer(pid: number, directory: string): boolean {
  if (processIdentity(pid) === undefined || processName(pid) !== 'postgres') return false;
  const workingDirectory = processDirectory(pid);
  return workingDirectory === undefined || workingDirectory === realpathSync(directory);
}

function signalProcess(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function complaint(log: string): string {
  const fatal = log.split('\n').filter((line) => /\b(FATAL|PANIC|could not bind)\b/.test(line));
  return fatal.length > 0 ? fatal.join(' ').trim() : lastLine(log);
}
