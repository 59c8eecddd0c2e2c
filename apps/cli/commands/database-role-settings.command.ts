import { REQUEST_LIMITS, sessionSettings } from '@app/platform/database/database-limits';
import { commandHelp, type CommandLine, type TrialOptions } from '../command';

const HELP = commandHelp(
  `Gives the role of the service, in its database, the time limits of requests and what answers need: a pooler in transaction
mode keeps nothing that a session sets. They hold for every new connection of the role that sets no others, psql included. Needed
once with DATABASE_DIRECT_URL, and again after an upgrade that changes them; of no use otherwise.`,
  `Examples:
  $ npm run cli -- database-role-settings --dry-run   # show the statements
  $ npm run cli -- database-role-settings`,
);

export function declare(cli: CommandLine): void {
  const command = cli.command('database-role-settings', HELP, 'dry-run');
  command.action(({ dryRun = false }: TrialOptions) =>
    cli.run(async ({ dataSource }) => {
      const [{ database }] = await dataSource.query<[{ database: string }]>(
        'SELECT quote_ident(current_database()) AS database',
      );
      const statements = Object.entries(sessionSettings(REQUEST_LIMITS)).map(
        ([name, value]) => `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`,
      );
      if (!dryRun) for (const statement of statements) await dataSource.query(statement);
      const lines = [
        dryRun ? 'Would run:' : 'Ran:',
        ...statements,
        'Open connections of a pooler keep their old settings: run RECONNECT in its console',
      ];
      return { report: { dryRun, statements }, lines };
    }),
  );
}
