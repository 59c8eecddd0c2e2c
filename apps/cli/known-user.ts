import type { EntityManager } from 'typeorm';
import { withAsciiDomain } from '@app/formats/email-domains';
import { CommandFailed } from './outcome';

/** The id of the user with this name, ignoring case. Throws {@link CommandFailed} if there is none. */
export async function userIdOf(
  manager: EntityManager,
  username: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<number> {
  const [user] = await manager.query<{ id: number }[]>(
    `SELECT id FROM users WHERE fold_case(username) = fold_case($1) AND deleted_at IS NULL ${lock}`,
    [withAsciiDomain(username)],
  );
  if (user === undefined) throw new CommandFailed(`there is no user ${JSON.stringify(username)}`);
  return user.id;
}
