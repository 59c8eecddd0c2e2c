import type { EntityManager } from 'typeorm';
import { readSettings } from '@app/config/env';
import type { DataCheck } from '@app/lifecycle/data-check';
import { type DatabaseLimits, LONG_LIMITS } from '@app/platform/database/database-limits';
import { explain } from '@app/platform/process/run-process';
import { secretsKeyOf, SecretsKeyring } from '@app/security/secrets/encryption';
import { type WrongRecords, wrongRecords } from '../checks/data-checks';
import { dataChecks } from '../checks/schema-checks';
import { commandHelp, type CommandLine } from '../command';
import type { CommandRun } from '../database';
import { EXIT, type Outcome } from '../outcome';
import { tableOf } from '../terminal';

/** Milliseconds. Each statement reads whole tables, and a repair may wait for running changes of the tree. */
export const VERIFY_LIMITS: DatabaseLimits = {
  ...LONG_LIMITS,
  statement: 1_800_000,
  socketTimeout: 1_810_000,
  lock: 30_000,
};

/** Memory for sorting and joining whole tables. One connection uses it, for a minute. */
const WORK_MEMORY = '128MB';

/** A check and its finding. */
interface Checked {
  readonly check: DataCheck;
  readonly result: WrongRecords;
}

/** Runs all checks in one snapshot. `fixes` also repairs findings. */
export async function verify(run: CommandRun, keyring: SecretsKeyring, fixes: boolean): Promise<Outcome> {
  const { terminal } = run;
  const look = (): Promise<Checked[]> =>
    inOneSnapshot(run, async (manager) => {
      const checks = await dataChecks(manager, keyring);
      const checked: Checked[] = [];
      for (const check of checks) {
        terminal.progress(checked.length / checks.length, check.name);
        checked.push({ check, result: await wrongRecords(manager, check) });
      }
      terminal.endProgress();
      return checked;
    });
  const before = await look();
  const repairs = before.filter(
    ({ check, result }) => fixes && result.found > 0 && check.repair !== undefined,
  );
  for (const { check } of repairs) await repair(run, check);
  return outcomeOf(before, repairs.length === 0 ? before : await look());
}

/** Without one snapshot, reads would differ while the service writes. */
async function inOneSnapshot<Result>(
  { dataSource }: CommandRun,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    await manager.query('SET TRANSACTION READ ONLY');
    await manager.query(`SET LOCAL work_mem = '${WORK_MEMORY}'`);
    return work(manager);
  });
}

/** Each repair has its own transaction, so that a failed one does not stop the others. */
async function repair({ ctx, transactions, terminal }: CommandRun, check: DataCheck): Promise<void> {
  try {
    await transactions.run(ctx, async (manager) => {
      for (const statement of check.repair ?? []) await manager.query(statement);
    });
  } catch (error) {
    const [sentence = ''] = explain(error);
    terminal.say(`${check.name}: not repaired: ${sentence.split('\n', 1)[0]}`);
  }
}

function outcomeOf(before: readonly Checked[], after: readonly Checked[]): Outcome {
  const checks = before.map(({ check, result: { found, examples } }) => {
    const later = after.find((checked) => checked.check.name === check.name)?.result;
    const left = later?.found ?? 0;
    return { check, found, examples: found > 0 ? examples : (later?.examples ?? []), left };
  });
  const wrong = checks.filter(({ check, left }) => left > 0 && check.mayStay !== true);
  const noted = checks.filter(({ found, left }) => found > 0 || left > 0);
  return {
    exitCode: wrong.length === 0 ? EXIT.ok : EXIT.someRowsRefused,
    report: {
      isWhole: wrong.length === 0,
      checks: checks.map(({ check, found, examples, left }) => ({
        name: check.name,
        found,
        repaired: Math.max(0, found - left),
        left,
        mayStay: check.mayStay === true,
        ...(noted.some((one) => one.check === check) && { finds: check.finds, examples }),
      })),
    },
    lines: [
      ...tableOf(
        ['Check', 'Found', 'Repaired', 'Left', 'For example'],
        checks.map(({ check, found, examples, left }) => [
          check.name,
          found,
          Math.max(0, found - left),
          left,
          examples.join('; '),
        ]),
      ),
      ...noted.map(({ check }) => `${check.name}: ${check.finds}`),
      wrong.length === 0 ? 'Everything agrees' : `${wrong.length} of ${checks.length} checks found errors`,
    ],
  };
}

const HELP = commandHelp(
  `Checks data that is stored twice or must agree in many rows: the tree of organisations against their links, counters,
the states of notifications, unique names, limits, one enabled admin, secrets that SECRETS_KEY cannot decrypt, and
triggers, indexes and next ids that a restore may have lost. It reads one snapshot and changes nothing; the service may
run. With --fix it repairs what follows from other rows, and reports the rest.`,
  `Exit code 3: errors were found, or remain after --fix.

Examples:
  $ npm run cli -- verify
  $ npm run cli -- verify --fix`,
);

interface VerifyOptions {
  readonly fix?: boolean;
}

/** Throws if `SECRETS_KEY` cannot be used. */
export const usableKeyring = (): SecretsKeyring => SecretsKeyring.parse(secretsKeyOf(readSettings()));

export function declare(cli: CommandLine): void {
  cli
    .command('verify', HELP)
    .option('--fix', 'repair what follows from other rows')
    .action(async ({ fix: fixes = false }: VerifyOptions) => {
      const keyring = usableKeyring();
      await cli.run((run) => verify(run, keyring, fixes), VERIFY_LIMITS);
    });
}
