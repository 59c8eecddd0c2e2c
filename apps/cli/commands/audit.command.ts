import { Option } from 'commander';
import { readSettings } from '../../../config/env';
import { commandHelp, identifier, type CommandLine, type CommonOptions } from '../command';
import { withDatabase } from '../database';
import { exportAudit } from './audit';
import { pointInTime } from './point-in-time';

const HELP = commandHelp(
  'show and export who changed what',
  `Shows who changed users, organisations, credentials, rights and grants: when (UTC), by which credential, from which
address, and the columns before and after; the newest change comes first. Secrets are not in the log, only that they
changed. With --json every change is a JSON object on a line of its own.`,
  `Examples:
  $ npm run cli -- audit --since 24h
  $ npm run cli -- audit --user jan@example.com --since 2026-11-01 --until 2026-12-01
  $ npm run cli -- audit --table users --record 42
  $ npm run cli -- audit --organisation 7 --csv organisation-7.csv`,
);

interface AuditOptions extends CommonOptions {
  readonly user?: string;
  readonly organisation?: number;
  readonly table?: string;
  readonly record?: number;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
  readonly csv?: string;
}

export function declareAudit(cli: CommandLine): void {
  cli
    .command('audit', HELP)
    .option('--user <name>', 'changes that this user made')
    .option('--organisation <id>', 'changes of this organisation and what belongs to it', identifier)
    .option('--table <name>', 'changes of rows of this table')
    .option('--record <id>', 'changes of this row of the table', identifier)
    .option('--since <time>', 'from then on: 15m, 24h or 7d ago, or a date (UTC)', (text) =>
      pointInTime(text),
    )
    .option('--until <time>', 'before then', (text) => pointInTime(text))
    .option(
      '--limit <number>',
      'the newest ones alone (100, without a limit for --json and --csv)',
      identifier,
    )
    .addOption(new Option('--csv <file>', 'write csv into a new file; -: standard output').conflicts('json'))
    .action(async ({ json = false, csv, ...options }: AuditOptions) => {
      const { user: username, organisation: organisationId, record: recordId, ...rest } = options;
      const search = { username, organisationId, recordId, ...rest };
      const form =
        csv === undefined
          ? ({ kind: json ? 'json' : 'lines' } as const)
          : ({ kind: 'csv', file: csv } as const);
      const { terminal } = cli;
      await withDatabase('audit', readSettings(), terminal, (database) =>
        exportAudit(database, terminal, search, form),
      );
    });
}
