import { readSettings } from '@app/config/env';
import { migrate } from '@app/migrations/migrate';
import { LONG_LIMITS } from '@app/platform/database/database-limits';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';
import { connected, pendingMigrations, withDatabaseUrl } from '../database';

const HELP = commandHelp(
  `Brings the schema of the database up to date. The service does the same at each start; run it before that to see
a migration through by hand. Safe beside running services and beside itself.`,
  `Examples:
  $ npm run cli -- migrate --dry-run      # name the migrations that would run
  $ npm run cli -- migrate`,
);

export function declare(cli: CommandLine): void {
  const command = cli.command('migrate', HELP, 'dry-run');
  command.action(async ({ dryRun = false }: TrialOptions) => {
    const migrations = await withDatabaseUrl(readSettings(), cli.terminal, (databaseUrl) =>
      dryRun
        ? connected(databaseUrl, LONG_LIMITS, pendingMigrations)
        : migrate(databaseUrl, { say: (line) => cli.terminal.say(line) }),
    );
    const done = migrations.length === 0 ? 'The schema is up to date' : `${dryRun ? 'Would run' : 'Ran'}:`;
    cli.report({ report: { dryRun, migrations }, lines: [done, ...migrations] });
  });
}
