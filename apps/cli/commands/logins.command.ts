import { readSettings } from '../../../config/env';
import { commandHelp, identifier, type CommandLine, type CommonOptions } from '../command';
import { listLogins, revokeLogins } from './logins';

const HELP = commandHelp('list and revoke the logins of a user', 'Lists and revokes the logins of a user.');

const LIST_HELP = commandHelp(
  'list where a user is logged in',
  'Lists the logins of a user that can still be used. Times are UTC.',
  `Example:
  $ npm run cli -- logins list jan@example.com`,
);

const REVOKE_HELP = commandHelp(
  'end logins of a user',
  `Ends all logins of a user, or one. It holds for the next request on every process. API keys are not affected, and a
user who knows the password can log in again: disable the user to prevent that.`,
  `Examples:
  $ npm run cli -- logins revoke jan@example.com
  $ npm run cli -- logins revoke jan@example.com --id 42`,
);

export function declareLogins(cli: CommandLine): void {
  const logins = cli.group('logins', HELP);
  logins
    .command('list', LIST_HELP)
    .argument('<username>')
    .action(async (username: string, { json = false }: CommonOptions) => {
      const { loginIdleTtl } = readSettings();
      await cli.run('logins list', json, (database) => listLogins(database, loginIdleTtl, username));
    });
  logins
    .command('revoke', REVOKE_HELP)
    .argument('<username>')
    .option('--id <number>', 'this login alone, as `logins list` names it', identifier)
    .action(async (username: string, { json = false, id }: CommonOptions & { id?: number }) => {
      await cli.run('logins revoke', json, (database) => revokeLogins(database, username, id));
    });
}
