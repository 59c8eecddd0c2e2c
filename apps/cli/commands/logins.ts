import { endLogin, endLogins } from '@app/auth/login-endings';
import type { Database } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { tableOf } from '../table';

interface ListedLogin {
  readonly id: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** When it ends if it is not used again. */
  readonly expiresAt: Date;
  readonly address: string;
  readonly userAgent: string;
}

const LIVE_LOGINS = `
  SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt",
    least(expires_at, last_used_at + make_interval(secs => $2)) AS "expiresAt", address, user_agent AS "userAgent"
  FROM logins
  WHERE user_id = $1 AND expires_at > now() AND last_used_at > now() - make_interval(secs => $2) ORDER BY id`;

/** The logins of a user that can still be used. */
export async function listLogins(
  { dataSource }: Database,
  loginIdleTtl: number,
  username: string,
): Promise<Outcome> {
  const userId = await userIdOf({ dataSource }, username);
  const logins = await dataSource.query<ListedLogin[]>(LIVE_LOGINS, [userId, loginIdleTtl]);
  return {
    exitCode: EXIT.ok,
    report: { username, userId, logins },
    lines: logins.length === 0 ? [`${username} is logged in nowhere`] : linesOf(logins),
  };
}

/** Ends one login of a user or all of them, from the next request on. */
export async function revokeLogins(
  database: Database,
  username: string,
  loginId: number | undefined,
): Promise<Outcome> {
  const userId = await userIdOf(database, username);
  const revoked = await database.transactions.run(async (manager) => {
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
    exitCode: EXIT.ok,
    report: { username, userId, revoked },
    lines: [`Revoked ${revoked} ${revoked === 1 ? 'login' : 'logins'} of ${username}`],
  };
}

async function userIdOf({ dataSource }: Pick<Database, 'dataSource'>, username: string): Promise<number> {
  const [user] = await dataSource.query<{ id: number }[]>(
    'SELECT id FROM users WHERE lower(username) = lower($1) AND deleted_at IS NULL',
    [username],
  );
  if (user === undefined) throw new CommandFailed(`there is no user ${JSON.stringify(username)}`);
  return user.id;
}

function linesOf(logins: readonly ListedLogin[]): string[] {
  return tableOf([
    ['Id', 'Created', 'Last used', 'Ends', 'Address', 'User agent'],
    ...logins.map((login) => [
      String(login.id),
      minuteOf(login.createdAt),
      minuteOf(login.lastUsedAt),
      minuteOf(login.expiresAt),
      login.address,
      printable(login.userAgent),
    ]),
  ]);
}

/** In UTC. */
const minuteOf = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ');

/** A client chooses its user agent: it must not steer the operator's terminal. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');
