import { InvalidArgumentError, Option } from 'commander';
import { type CommandLine, memberHelp } from '../../command';
import { readPlan } from './plan';
import { planCsv, planLines } from './plan-views';

const DAYS = 30;

const PLAN_HELP = memberHelp(
  'show who must leave Variant B, and with which programs',
  `Shows which organisations called Variant B, with which programs and operations, how often a day and when last, and how
Variant A differs.`,
  `Examples:
  $ npm run cli -- variants plan
  $ npm run --silent cli -- variants plan --days 90 --format csv > plan.csv`,
);

interface PlanOptions {
  readonly days: number;
  readonly format: 'table' | 'csv' | 'json';
}

/** The command for the end of Variant B. */
export function declareEndOfVariant(cli: CommandLine): void {
  cli
    .command('plan', PLAN_HELP)
    .option('--days <number>', 'calls of so many days, including today', daysOf, DAYS)
    .addOption(
      new Option('--format <format>', 'the form of the result')
        .choices(['table', 'csv', 'json'])
        .default('table'),
    )
    .action(({ days, format }: PlanOptions) =>
      cli.run(async ({ dataSource }) => {
        const plan = await readPlan(dataSource, days);
        const report = { days, organisations: plan };
        const linesIn = {
          table: () => planLines(plan, days),
          csv: () => planCsv(plan),
          json: () => [JSON.stringify(report)],
        };
        return { report, lines: await linesIn[format]() };
      }),
    );
}

/** Maximum days of a report, as many as the longest retention. */
const MAX_DAYS = 3650;

/** Reads the value of an option with a number of past days. */
function daysOf(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) throw new InvalidArgumentError(`It must be from 1 to ${MAX_DAYS}.`);
  return days;
}
