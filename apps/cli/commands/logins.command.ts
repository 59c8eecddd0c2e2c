import type { Database } from '../database';
import type { Outcome } from '../outcome';
import { inAscii, tableOf } from '../terminal';
import { userIdOf } from '../known-user';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions, identifier, memberHelp } from '../command';

interface ListedLogin {
  readonly id: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** When it ends without further use. */
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
}

const LIVE_LOGINS = `
  SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    least(expires_at, last_used_at + make_interval(secs => $2)) AS "expiresAt", address, user_agent AS "userAgent"
  FROM logins
  WHERE user_id = $1 AND expires_at > now() AND last_used_at > now() - make_interval(secs => $2) ORDER BY id`;

/** The valid logins of a user. */
async function listLogins(
  { dataSource }: Database,
  loginIdleTtl: number,
  username: string,
): Promise<Outcome> {
  const userId = await userIdOf(dataSource.manager, username);
  const logins = await dataSource.query<ListedLogin[]>(LIVE_LOGINS, [userId, loginIdleTtl]);
  return {
    report: { username, userId, logins },
    lines: logins.length === 0 ? [`${username} has no valid login`] : linesOf(logins),
  };
}

const linesOf = (logins: readonly ListedLogin[]): string[] =>
  tableOf(
    ['Id', 'Created', 'Last used', 'Ends', 'Address', 'User agent'],
    logins.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => [
      ...[id, createdAt, lastUsedAt, expiresAt],
      ...[address, inAscii(userAgent)],
    ]),
  );

const HELP = commandHelp('Lists and revokes the logins of a user.');

const LIST_HELP = memberHelp(
  'list the logins of a user',
  'Lists the valid logins of a user. Times are UTC.',
  `Example:
  $ npm run cli -- logins list jan@example.com`,
);

const REVOKE_HELP = memberHelp(
  'end logins of a user',
  `Ends all logins of a user, or one, from the next request on in every process. API keys are not affected, and a
user who knows the password can log in again: disable the user to prevent that.`,
  `Examples:
  $ npm run cli -- logins revoke jan@example.com
  $ npm run cli -- logins revoke jan@example.com --id 42`,
);

export function declare(cli: CommandLine): void {
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
    .option('--id <number>', 'only this login, by its id in `logins list`', identifier)
    .action(async (username: string, { json = false, id }: CommonOptions & { id?: number }) => {
      const { revokeLogins } = await import('./revoke-logins.js');
      await cli.run('logins revoke', json, (database) => revokeLogins(database, username, id));
    });
}
