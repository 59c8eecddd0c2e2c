import type { Login } from '@app/sign-in/auth/login.entity';
import { endLogin, endLogins } from '@app/sign-in/auth/login-endings';
import { type CommandLine, identifier, memberHelp } from '../command';
import type { CommandRun } from '../database';
import { userIdOf } from '../known-user';
import { CommandFailed, type Outcome } from '../outcome';
import { inAscii, tableOf } from '../terminal';

/** `expiresAt` is the end of the login if it is not used again. */
type ListedLogin = Pick<Login, 'id' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'address' | 'userAgent'>;

const LIVE_LOGINS = `
  SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    least(expires_at, last_used_at + make_interval(secs => $2)) AS "expiresAt", address, user_agent AS "userAgent"
  FROM logins
  WHERE user_id = $1 AND expires_at > now() AND last_used_at > now() - make_interval(secs => $2) ORDER BY id`;

/** The valid logins of a user. */
async function listLogins({ dataSource, settings }: CommandRun, username: string): Promise<Outcome> {
  const userId = await userIdOf(dataSource.manager, username);
  const logins = await dataSource.query<ListedLogin[]>(LIVE_LOGINS, [userId, settings.loginIdleTtl]);
  return {
    report: { username, userId, logins },
    lines: logins.length === 0 ? [`${username} has no valid login`] : linesOf(logins),
  };
}

const linesOf = (logins: readonly ListedLogin[]): string[] =>
  tableOf(
    ['Id', 'Created', 'Last used', 'Ends', 'Address', 'User agent'],
    logins.map(({ id, createdAt, lastUsedAt, expiresAt, address, userAgent }) => [
      id,
      createdAt,
      lastUsedAt,
      expiresAt,
      address,
      inAscii(userAgent),
    ]),
  );

/** Ends one login of a user or all of them, with effect on the next request. */
async function revokeLogins(
  { dataSource, transactions, ctx }: CommandRun,
  username: string,
  loginId: number | undefined,
): Promise<Outcome> {
  const userId = await userIdOf(dataSource.manager, username);
  const revoked = await transactions.run(ctx, async (manager) => {
    const [{ count }] = await manager.query<[{ count: number }]>(
      'SELECT count(*) FROM logins WHERE user_id = $1 AND ($2::integer IS NULL OR id = $2)',
      [userId, loginId ?? null],
    );
    if (loginId === undefined) await endLogins(manager, userId);
    else await endLogin(manager, userId, loginId);
    return count;
  });
  if (loginId !== undefined && revoked === 0) {
    throw new CommandFailed(`${username} has no login ${loginId}: \`logins list ${username}\` shows them`);
  }
  return {
    report: { username, userId, revoked },
    lines: [`Revoked ${revoked} ${revoked === 1 ? 'login' : 'logins'} of ${username}`],
  };
}

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
  const logins = cli.group('logins', 'Lists and revokes the logins of a user.');
  logins
    .command('list', LIST_HELP)
    .argument('<username>')
    .action((username: string) => cli.run((run) => listLogins(run, username)));
  logins
    .command('revoke', REVOKE_HELP)
    .argument('<username>')
    .option('--id <number>', 'only this login, by its id in `logins list`', identifier)
    .action((username: string, { id }: { id?: number }) => cli.run((run) => revokeLogins(run, username, id)));
}
