import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { setRoleSettings } from './database-role-settings';

const HELP = commandHelp(
  'give the role of the service its time limits, for a pooler in transaction mode',
  `Gives the role of the service, in its database, the time limits of requests: a pooler in transaction mode keeps
none that a session sets. They hold for every new connection of the role that sets no others, psql included. Needed once
with DATABASE_POOLER=transaction, and again after an upgrade that changes them; of no use otherwise.`,
  `Examples:
  $ npm run cli -- database-role-settings --dry-run   # show the statements
  $ npm run cli -- database-role-settings`,
);

export function declareDatabaseRoleSettings(cli: CommandLine): void {
  cli
    .command('database-role-settings', HELP, 'dry-run')
    .action(async ({ json = false, dryRun = false }: CommonOptions) => {
      await cli.run('database-role-settings', json, (database) => setRoleSettings(database, dryRun));
    });
}
