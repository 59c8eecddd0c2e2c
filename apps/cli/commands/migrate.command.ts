import { readSettings } from '@app/config/env';
import { migrate } from '@app/migrations/migrate';
import { newerSchema } from '@app/migrations/recorded-migrations';
import { LONG_LIMITS } from '@app/platform/database/database-limits';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';
import { connected, schemaState, withDatabaseUrl } from '../database';

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
    const migrations = await withDatabaseUrl(readSettings(), cli.terminal, async (databaseUrl) => {
      const say = (line: string): void => cli.terminal.say(line);
      const before = await connected(databaseUrl, LONG_LIMITS, schemaState);
      const newer = newerSchema(before);
      if (newer !== undefined) say(newer);
      return dryRun ? before.pending : migrate(databaseUrl, { say });
    });
    const done = migrations.length === 0 ? 'The schema is up to date' : `${dryRun ? 'Would run' : 'Ran'}:`;
    cli.report({ report: { dryRun, migrations }, lines: [done, ...migrations] });
  });
}
