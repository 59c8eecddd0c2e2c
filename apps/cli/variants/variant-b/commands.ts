import { InvalidArgumentError, Option } from 'commander';
import { Outbox } from '@app/mail/outbox';
import { SecretsKeyring, secretsKeyOf } from '@app/security/secrets/encryption';
import { readSettings } from '../../../../config/env';
import { calendarDate } from '../../../../config/variant-b.env';
import { commandHelp, type CommandLine, type CommonOptions, daysOf, identifier } from '../../command';
import { EXIT, WrongUse } from '../../outcome';
import { announce, announcementLines, endingOf } from './announce';
import { changeExemption } from './exempt';
import { readPlan } from './plan';
import { planCsv, planLines } from './plan-views';

const DAYS = 30;

const PLAN_HELP = commandHelp(
  'tell who has to leave Variant B, and with what',
  `Tells which organisations called Variant B, with which programs and operations, how often a day and when last, whether
brown-outs leave them alone, and what of it is otherwise in Variant A.`,
  `Examples:
  $ npm run cli -- variants plan
  $ npm run --silent cli -- variants plan --days 90 --format csv > plan.csv`,
);

const ANNOUNCE_HELP = commandHelp(
  'tell organisations by mail that Variant B ends',
  `Mails the dates of VARIANT_B_DEPRECATED, VARIANT_B_SUNSET and VARIANT_B_BROWNOUTS, with the organisation's own programs,
to the System contacts of each organisation that called Variant B, in their language, once for an organisation in 30 days.`,
  `Examples:
  $ npm run cli -- variants announce --dry-run
  $ npm run cli -- variants announce`,
);

const EXEMPT_HELP = commandHelp(
  'let an organisation call Variant B during brown-outs',
  `Lets the users and API keys of an organisation call Variant B during brown-outs, from now on until the begin of a day in
UTC. A second exemption of the organisation takes the place of the first.`,
  `Examples:
  $ npm run cli -- variants exempt 12 --until 2027-04-01
  $ npm run cli -- variants exempt 12 --until 2027-04-01 --beneath
  $ npm run cli -- variants exempt 12 --end`,
);

interface PlanOptions extends CommonOptions {
  readonly days: number;
  readonly format: 'table' | 'csv' | 'json';
}

interface AnnounceOptions extends CommonOptions {
  readonly days: number;
}

interface ExemptOptions extends CommonOptions {
  readonly until?: Date;
  readonly beneath?: boolean;
  readonly end?: boolean;
}

/** The commands for the end of Variant B. */
export function declareEndOfVariant(cli: CommandLine): void {
  cli
    .command('plan', PLAN_HELP)
    .option('--days <number>', 'calls of so many days, today among them', daysOf, DAYS)
    .addOption(
      new Option('--format <format>', 'the form of the result')
        .choices(['table', 'csv', 'json'])
        .default('table'),
    )
    .action(async ({ json = false, days, format }: PlanOptions) => {
      await cli.run('variants plan', json || format === 'json', async ({ dataSource }) => {
        const plan = await readPlan(dataSource, days);
        const lines = format === 'csv' ? await planCsv(plan) : planLines(plan, days);
        return { exitCode: EXIT.ok, report: { days, organisations: plan }, lines };
      });
    });
  cli
    .command('announce', ANNOUNCE_HELP, 'dry-run')
    .option('--days <number>', 'organisations that called in so many days, today among them', daysOf, DAYS)
    .action(async ({ json = false, dryRun = false, days }: AnnounceOptions) => {
      const settings = readSettings();
      const ending = endingOf(settings, days);
      await cli.run('variants announce', json, async (database) => {
        const plan = await readPlan(database.dataSource, days);
        const outbox = dryRun ? undefined : new Outbox(SecretsKeyring.parse(secretsKeyOf(settings)));
        const organisations = await announce(database, plan, ending, outbox);
        const lines = announcementLines(organisations, dryRun);
        return { exitCode: EXIT.ok, report: { dryRun, organisations }, lines };
      });
    });
  cli
    .command('exempt', EXEMPT_HELP)
    .argument('<organisation>', 'the id of the organisation', identifier)
    .option('--until <date>', 'the first day without the exemption, such as 2027-04-01', comingDate)
    .option('--beneath', 'for all organisations beneath it too')
    .option('--end', 'take the exemption back')
    .action(async (id: number, { json = false, until, beneath = false, end = false }: ExemptOptions) => {
      if ((until === undefined) !== end) throw new WrongUse('give one of --until and --end');
      if (end && beneath) throw new WrongUse('--beneath goes with --until');
      const exemption = until === undefined ? undefined : { until, beneath };
      await cli.run('variants exempt', json, async (database) => {
        const exemptUntil = await changeExemption(database, id, exemption);
        const state = exemptUntil === null ? 'is not exempt' : `is exempt until ${exemptUntil}`;
        const report = { organisationId: id, exemptUntil };
        return { exitCode: EXIT.ok, report, lines: [`Organisation ${id} ${state}`] };
      });
    });
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
