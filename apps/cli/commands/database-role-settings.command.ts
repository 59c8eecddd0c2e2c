import { roleSettingStatements } from '@app/platform/database/database.module';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';

const HELP = commandHelp(
  `Gives the role of the service, in its database, the time limits of requests: a pooler in transaction mode keeps
no limits that a session sets. They hold for every new connection of the role that sets no others, psql included. Needed
once with DATABASE_DIRECT_URL, and again after an upgrade that changes them; of no use otherwise.`,
  `Examples:
  $ npm run cli -- database-role-settings --dry-run   # show the statements
  $ npm run cli -- database-role-settings`,
);

export function declare(cli: CommandLine): void {
  const command = cli.command('database-role-settings', HELP, 'dry-run');
  command.action(({ dryRun = false }: TrialOptions) =>
    cli.run(async ({ dataSource }) => {
      const statements = await roleSettingStatements(dataSource);
      if (!dryRun) for (const statement of statements) await dataSource.query(statement);
      const lines = [
        dryRun ? 'Would run:' : 'Ran:',
        ...statements,
        'Open connections of a pooler keep their old limits: run RECONNECT in its console',
      ];
      return { report: { dryRun, statements }, lines };
    }),
  );
}
