import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { RunReport } from '../../../qa/run';
import type { Variant } from '../../../qa/variants';
import { ADMIN, PASSKEYS, type TestService } from './service';

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
  /** What `--json` printed. */
  readonly report: Report;
}

export type Report = RunReport;

/** The lines of standard error that say how far `npm run qa` is. */
const PROGRESS = /^[^:\n]+: \d+ of \d+ done, \d+ s\n/gm;

/** What it wrote to standard error beside its progress. */
export const faultsIn = (errors: string): string => errors.replaceAll(PROGRESS, '');

const script = join(__dirname, '../../../scripts/qa.mjs');

/** Runs the command as an operator does. */
export function qa(
  args: readonly string[],
  meanwhile: (child: ChildProcessByStdio<Writable, Readable, Readable>) => void = ({ stdin }) => stdin.end(),
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(process.execPath, [script, ...args], { stdio: 'pipe', env });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()));
  meanwhile(child);
  return new Promise((resolve) =>
    child.once('close', (status) =>
      resolve({
        status,
        output,
        errors,
        get report() {
          return JSON.parse(output) as Report;
        },
      }),
    ),
  );
}

/** Sends one SIGINT as soon as the service has logged a request whose line matches. */
export const interruptAt =
  (service: TestService, pattern: RegExp) =>
  (child: ChildProcessByStdio<Writable, Readable, Readable>): void => {
    service.logLines.length = 0;
    const watch = setInterval(() => {
      if (!service.logLines.some((line) => pattern.test(line))) return;
      clearInterval(watch);
      child.kill('SIGINT');
    }, 5);
    child.once('close', () => clearInterval(watch));
  };

/** The arguments of a run as the first admin. */
export const against = (url: string, variant: Variant): string[] => [
  '--url',
  url,
  '--variant',
  variant,
  ...(variant === 'A' ? ['--passkey-origin', PASSKEYS.origins[0]] : []),
  '--admin-user',
  ADMIN.username,
  '--admin-password',
  ADMIN.password,
];

/** Everything that a run may have made: it must be gone, deletions being marks on some rows. */
export const leftovers = async (service: TestService): Promise<object | undefined> => {
  const [left] = await service.sql(
    `SELECT (SELECT count(*)::integer FROM organisations WHERE deleted_at IS NULL AND id > 1) AS organisations,
            (SELECT count(*)::integer FROM users WHERE deleted_at IS NULL) AS users,
            (SELECT count(*)::integer FROM contacts) AS contacts, (SELECT count(*)::integer FROM ssh_keys) AS keys,
            (SELECT count(*)::integer FROM api_keys WHERE user_id = 1) AS "apiKeys",
            (SELECT count(*)::integer FROM entities) AS entities, (SELECT count(*)::integer FROM logins) AS logins`,
  );
  return left;
};
export const NOTHING = {
  organisations: 0,
  users: 1,
  contacts: 0,
  keys: 0,
  apiKeys: 0,
  entities: 0,
  logins: 0,
};

/** Why examples of a run were not checked. */
export const uncheckedReasons = ({ results }: Report): string[] => [
  ...new Set(results.filter(({ outcome }) => outcome === 'not checked').flatMap(({ notes }) => notes)),
];
