import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ADMIN, TEST_SECRETS_KEY } from './service';

const ROOT = resolve(__dirname, '../../..');
const REGISTER = join(__dirname, '../../../scripts/typescript-register.cjs');

/** Runs a source file of the project as it is, in a process of its own; the environment holds `env` alone. */
export function spawnSource(
  main: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, ['--require', REGISTER, join(ROOT, main), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe',
  });
}

export interface EndedProcess {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface ServiceProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Where it listens; fails with all that it wrote when it ends before. */
  readonly address: Promise<string>;
  readonly ended: Promise<EndedProcess>;
  /** What it has written to standard output until now. */
  readonly output: () => string;
  /** Ends it as a deployment does, with SIGTERM. */
  stop(): Promise<EndedProcess>;
}

/** The settings of a process on this database, with the first admin of all tests. */
export const settingsOn = (databaseUrl: string, settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  SECRETS_KEY: TEST_SECRETS_KEY,
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  BCRYPT_COST: '4',
  PORT: '0',
  ...settings,
});

interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** The lines of the log among what a process has written. */
export const logLinesOf = (output: string): LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine);

/**
 * The service as an operator starts it: unlike `startTestService`, in a process and with settings of its own.
 */
export const startServiceProcess = (env: NodeJS.ProcessEnv): ServiceProcess =>
  startProcess('apps/api/main.ts', env);

/** The worker, which listens nowhere. */
export const startWorkerProcess = (env: NodeJS.ProcessEnv): Omit<ServiceProcess, 'address'> =>
  startProcess('apps/worker/main.ts', env);

function startProcess(main: string, env: NodeJS.ProcessEnv): ServiceProcess {
  const child = spawnSource(main, [], env);
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  const ended = new Promise<EndedProcess>((settle) =>
    child.once('close', (status) => settle({ status, output, errors })),
  );
  const address = new Promise<string>((settle, reject) => {
    child.stdout.on('data', () => {
      const found = /is ready at (http:\/\/[\w.]+:\d+)\/v1/.exec(output)?.[1];
      if (found !== undefined) settle(found);
    });
    child.once('close', () => reject(new Error(`It ended before it was ready:\n${output}${errors}`)));
  });
  address.catch(() => undefined);
  const stop = (): Promise<EndedProcess> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, address, ended, output: () => output, stop };
}

/** Starts processes of the service. What a test leaves running is killed after it. */
export function useServiceProcesses(): typeof startServiceProcess {
  const started: ServiceProcess[] = [];
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill('SIGKILL');
  });
  return (env) => {
    started.push(startServiceProcess(env));
    return started.at(-1) as ServiceProcess;
  };
}
