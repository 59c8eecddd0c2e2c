import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { withDatabaseUrl } from '../database';
import { migrateDatabase } from './migrate';

const HELP = commandHelp(
  'bring the schema of the database up to date',
  `Brings the schema of the database up to date. The service does the same at each start; run it before that to see
a migration through by hand. Safe beside running services and beside itself.`,
  `Examples:
  $ npm run cli -- migrate --dry-run      # name the migrations that would run
  $ npm run cli -- migrate`,
);

export function declareMigrate(cli: CommandLine): void {
  cli.command('migrate', HELP, 'dry-run').action(async ({ json = false, dryRun = false }: CommonOptions) => {
    const outcome = await withDatabaseUrl(readSettings(), cli.terminal, (databaseUrl, pooler) =>
      migrateDatabase(databaseUrl, pooler, dryRun),
    );
    cli.report(outcome, json);
  });
}
