import type { EntityManager } from 'typeorm';
import { LONG_LIMITS, type DatabaseLimits } from '@app/core/database/database-limits';
import { explain } from '@app/core/process/explain';
import type { SecretsKeyring } from '@app/core/secrets/encryption';
import type { Database } from '../../database';
import { EXIT, type Outcome } from '../../outcome';
import { tableOf } from '../../table';
import type { Terminal } from '../../terminal';
import type { Check } from './check';
import { RECORD_CHECKS } from './record-checks';
import { checksOfSchema, secretChecks } from './schema-checks';
import { TREE_CHECKS } from './tree-checks';

/** Milliseconds: each statement reads whole tables, and a repair may wait for changes of the tree that are under way. */
export const VERIFY_LIMITS: DatabaseLimits = {
  ...LONG_LIMITS,
  statement: 1_800_000,
  silence: 1_810_000,
  lock: 30_000,
};

/** For sorting and joining whole tables; one connection uses it, for a minute. */
const WORK_MEMORY = '128MB';

/** How many of the things that a check finds are named. */
const MAX_EXAMPLES = 5;

interface Finding {
  readonly check: Check;
  readonly found: number;
  readonly examples: readonly string[];
}

export interface Verification {
  readonly database: Database;
  readonly keyring: SecretsKeyring;
  readonly terminal: Terminal;
  /** Whether what can be repaired is. */
  readonly fixes: boolean;
}

/** Looks for what does not agree with itself, all of it at one point in time, and puts it right where asked to. */
export async function verify({ database, keyring, terminal, fixes }: Verification): Promise<Outcome> {
  const look = (): Promise<Finding[]> =>
    inOneSnapshot(database, async (manager) => {
      const checks = [
        ...TREE_CHECKS,
        ...RECORD_CHECKS,
        ...secretChecks(keyring),
        ...(await checksOfSchema(manager)),
      ];
      const findings: Finding[] = [];
      for (const check of checks) {
        terminal.progress(findings.length / checks.length, check.name);
        findings.push(await findingOf(manager, check));
      }
      terminal.endProgress();
      return findings;
    });
  const before = await look();
  const repairs = fixes ? before.filter(({ check, found }) => found > 0 && check.repair !== undefined) : [];
  for (const { check } of repairs) await repair(database, terminal, check);
  return outcomeOf(before, repairs.length === 0 ? before : await look());
}

/** What is read at different times would differ by itself while the service writes. */
async function inOneSnapshot<Result>(
  { dataSource }: Database,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    await manager.query('SET TRANSACTION READ ONLY');
    await manager.query(`SET LOCAL work_mem = '${WORK_MEMORY}'`);
    return work(manager);
  });
}

async function findingOf(manager: EntityManager, check: Check): Promise<Finding> {
  if (check.suspect !== undefined) {
    const suspects = await manager.query<object[]>(check.suspect);
    if (suspects.length === 0) return { check, found: 0, examples: [] };
  }
  const [row] = await manager.query<{ found: number; examples: string[] }[]>(
    `WITH wrong AS MATERIALIZED (${check.wrong})
     SELECT (SELECT count(*) FROM wrong) AS found,
       ARRAY(SELECT example::text FROM wrong ORDER BY example LIMIT ${MAX_EXAMPLES}) AS examples`,
  );
  return { check, found: row?.found ?? 0, examples: row?.examples ?? [] };
}

/** Each by itself: what one cannot put right keeps no other from being put right. */
async function repair({ transactions }: Database, terminal: Terminal, check: Check): Promise<void> {
  try {
    await transactions.run(async (manager) => {
      for (const statement of check.repair ?? []) await manager.query(statement);
    });
  } catch (error) {
    const [sentence] = explain(error).split('\n');
    terminal.say(`${check.name}: not repaired: ${sentence}`);
  }
}

function outcomeOf(before: readonly Finding[], after: readonly Finding[]): Outcome {
  const checks = before.map(({ check, found, examples }) => {
    const later = after.find((finding) => finding.check.name === check.name);
    return {
      check,
      found,
      examples: found > 0 ? examples : (later?.examples ?? []),
      left: later?.found ?? 0,
    };
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
      ...tableOf([
        ['Check', 'Found', 'Repaired', 'Left', 'For example'],
        ...checks.map(({ check, found, examples, left }) => [
          check.name,
          String(found),
          String(Math.max(0, found - left)),
          String(left),
          examples.join('; '),
        ]),
      ]),
      ...noted.map(({ check }) => `${check.name}: ${check.finds}`),
      wrong.length === 0
        ? 'Everything agrees'
        : `${wrong.length} of ${checks.length} checks found what is wrong`,
    ],
  };
}
