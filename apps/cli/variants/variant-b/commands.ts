import { InvalidArgumentError, Option } from 'commander';
import { calendarDate } from '@app/config/variant-b.env';
import { OTHER_PROGRAM } from '@app/edge/usage/program-of';
import { type CommandLine, identifier, memberHelp, type TrialOptions } from '../../command';
import type { CommandRun } from '../../database';
import { WrongUse } from '../../outcome';
import { changeExemption, isKnownProgram, type Subject } from './exempt';
import { clientWarnings } from './known-clients';
import { readPlan } from './plan';
import { planCsv, planLines } from './plan-views';

const DAYS = 30;

const PLAN_HELP = memberHelp(
  'show who must leave Variant B, and with which programs',
  `Shows which organisations called Variant B, with which programs and operations, how often a day and when last, whether
they are exempt from brown-outs, and how Variant A differs. Warns of programs that lose something in a brown-out.`,
  `Examples:
  $ npm run cli -- variants plan
  $ npm run --silent cli -- variants plan --days 90 --format csv > plan.csv`,
);

const ANNOUNCE_HELP = memberHelp(
  'mail organisations that Variant B ends',
  `Mails the dates of VARIANT_B_DEPRECATED, VARIANT_B_SUNSET and VARIANT_B_BROWNOUTS, with the organisation's own programs,
to the System contacts of each organisation that called Variant B, in their language, once for an organisation in 30 days.`,
  `Examples:
  $ npm run cli -- variants announce --dry-run
  $ npm run cli -- variants announce`,
);

const EXEMPT_HELP = memberHelp(
  'let an organisation or a program call Variant B during brown-outs',
  `Lets the users and API keys of an organisation, or a program by its name in "variants plan", call Variant B during
brown-outs, from now on until the start of a day in UTC. A second exemption replaces the first.`,
  `Examples:
  $ npm run cli -- variants exempt 12 --until 2027-04-01
  $ npm run cli -- variants exempt 12 --until 2027-04-01 --beneath
  $ npm run cli -- variants exempt --program level27_lvl --until 2027-04-01
  $ npm run cli -- variants exempt 12 --end`,
);

interface PlanOptions {
  readonly days: number;
  readonly format: 'table' | 'csv' | 'json';
}

interface AnnounceOptions extends TrialOptions {
  readonly days: number;
}

interface ExemptOptions {
  readonly program?: string;
  readonly until?: Date;
  readonly beneath?: boolean;
  readonly end?: boolean;
}

/** The commands for the end of Variant B. */
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
      cli.run(async (run) => {
        const { plan, warnings } = await planWithWarnings(run, days);
        const report = { days, organisations: plan, warnings };
        const linesIn = {
          table: () => planLines(plan, days),
          csv: () => planCsv(plan),
          json: () => [JSON.stringify(report)],
        };
        return { report, lines: await linesIn[format]() };
      }),
    );
  cli
    .command('announce', ANNOUNCE_HELP, 'dry-run')
    .option('--days <number>', 'organisations that called in so many days, including today', daysOf, DAYS)
    .action(({ dryRun = false, days }: AnnounceOptions) =>
      cli.run(async (run) => {
        const { announce, announcementLines, endingOf } = await import('./announce.js');
        const ending = endingOf(run.settings, days);
        const { plan, warnings } = await planWithWarnings(run, days);
        const organisations = await announce(run, plan, ending, dryRun);
        const lines = announcementLines(organisations, dryRun);
        return { report: { dryRun, organisations, warnings }, lines };
      }),
    );
  cli
    .command('exempt', EXEMPT_HELP)
    .argument('[organisation]', 'the id of the organisation', identifier)
    .option('--program <name>', 'a program instead, by its name in "variants plan"', programName)
    .option('--until <date>', 'the first day without the exemption, such as 2027-04-01', comingDate)
    .option('--beneath', 'for all organisations beneath it too')
    .option('--end', 'end the exemption')
    .action((organisationId: number | undefined, options: ExemptOptions) => {
      const { program, until, beneath = false, end = false } = options;
      if ((until === undefined) !== end) throw new WrongUse('give one of --until and --end');
      if (beneath && (end || program !== undefined))
        throw new WrongUse('--beneath needs an organisation and --until');
      const subject = subjectOf(organisationId, program);
      const exemption = until === undefined ? undefined : { until, beneath };
      return cli.run(async (run) => {
        const exemptUntil = await changeExemption(run, subject, exemption);
        if (program !== undefined && !end && !(await isKnownProgram(run, program)))
          run.terminal.say(`no call of ${program} has been counted: "variants plan" lists the programs`);
        const name = program === undefined ? `Organisation ${organisationId}` : `Program ${program}`;
        const state = exemptUntil === null ? 'is not exempt' : `is exempt until ${exemptUntil}`;
        return { report: { ...subject, exemptUntil }, lines: [`${name} ${state}`] };
      });
    });
}

async function planWithWarnings({ dataSource, terminal }: CommandRun, days: number) {
  const plan = await readPlan(dataSource, days);
  const warnings = clientWarnings(plan);
  for (const warning of warnings) terminal.say(`warning: ${warning}`);
  return { plan, warnings };
}

function subjectOf(organisationId: number | undefined, program: string | undefined): Subject {
  if (organisationId !== undefined && program === undefined) return { organisationId };
  if (organisationId === undefined && program !== undefined) return { program };
  throw new WrongUse('give either an organisation or --program');
}

function programName(text: string): string {
  const name = text.trim().toLowerCase();
  if (name === OTHER_PROGRAM)
    throw new InvalidArgumentError(
      'This name stands for all unnamed programs: exempt their organisations instead.',
    );
  if (!/^[!-~][ -~]{0,31}$/.test(name)) throw new InvalidArgumentError('It must be the name of a program.');
  return name;
}

/** Maximum days of a report, as many as the longest retention. */
const MAX_DAYS = 3650;

/** Reads the value of an option with a number of past days. */
function daysOf(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) throw new InvalidArgumentError(`It must be from 1 to ${MAX_DAYS}.`);
  return days;
}

function comingDate(text: string): Date {
  let date: Date;
  try {
    date = calendarDate(text);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
  if (date.getTime() <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return date;
}
