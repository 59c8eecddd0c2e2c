import type { ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from './databases';
import { spawnSource } from './processes';
import { TEST_SECRETS_KEY } from './service';

export interface CliResult {
  readonly exitCode: number | null;
  readonly output: string;
  /** Lines of standard error. */
  readonly messages: string[];
  /** Standard output read as JSON. */
  readonly report: Record<string, unknown>;
}

export interface CliOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts the command line in a process of its own, on a database. */
export function startCli(
  database: Pick<TestDatabase, 'url'> | undefined,
  args: readonly string[],
  { input = '', env = {} }: CliOptions = {},
): { child: ChildProcess; ended: Promise<CliResult> } {
  const child = spawnSource('apps/cli/main.ts', args, {
    BCRYPT_COST: '4',
    ...(database !== undefined && { DATABASE_URL: database.url, SECRETS_KEY: TEST_SECRETS_KEY }),
    ...env,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const exit = new Promise<number | null>((settle) => child.once('close', settle));
  const ended = Promise.all([text(child.stdout), text(child.stderr), exit]).then(
    ([output, errors, exitCode]) => ({
      exitCode,
      output,
      messages: errors.split('\n').filter((line) => line !== ''),
      get report() {
        return JSON.parse(output) as Record<string, unknown>;
      },
    }),
  );
  return { child, ended };
}

/** Runs the command line to its end. */
export const runCli = (
  database: Pick<TestDatabase, 'url'> | undefined,
  args: readonly string[],
  options?: CliOptions,
): Promise<CliResult> => startCli(database, args, options).ended;
