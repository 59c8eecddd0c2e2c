import { endLogin, endLogins } from '@app/sign-in/auth/login-endings';
import type { Database } from '../database';
import { userIdOf } from '../known-user';
import { CommandFailed, type Outcome } from '../outcome';

/** Ends one login of a user or all of them, with effect on the next request. */
export async function revokeLogins(
  database: Database,
  username: string,
  loginId: number | undefined,
): Promise<Outcome> {
  const userId = await userIdOf(database.dataSource.manager, username);
  const revoked = await database.transactions.run(database.ctx, async (manager) => {
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
