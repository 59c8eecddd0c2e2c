import type { EntityManager } from 'typeorm';
import type { SecondFactorDemanded, UserEvent } from '@app/lifecycle/user-events';
import { Login } from './login.entity';
import { forgetDevices } from './second-factor';

const END_LOGINS = `DELETE FROM logins WHERE (user_id = $1 OR staff_id = $1) AND id <> $2`;

/**
 * Ends all logins of a user except one, if given, and the support logins that the user began. Takes effect
 * with the next request on every node.
 */
export async function endLogins(manager: EntityManager, userId: number, exceptLoginId = 0): Promise<void> {
  await manager.query(END_LOGINS, [userId, exceptLoginId]);
}

/** Ends one login of a user. False if the login does not exist. */
export async function endLogin(manager: EntityManager, userId: number, loginId: number): Promise<boolean> {
  const { affected } = await manager.delete(Login, { userId, id: loginId });
  return affected === 1;
}

/**
 * A login in progress locks the user's row. Either this statement waits for it, or the login sees that a
 * second factor is demanded.
 */
const LOCK_USERS_WITHOUT_SECOND_FACTOR = `
  SELECT id FROM users WHERE organisation_id = $1 AND second_factor <> 'enabled' AND deleted_at IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

const END_WITHOUT_SECOND_FACTOR = `
  DELETE FROM logins l USING users u
  WHERE u.id = l.user_id AND u.organisation_id = $1 AND l.id <> $2 AND NOT login_passes(u.id, l.passkey_id)`;

/** Ends logins and trusted devices after changes of their user (rule login 14, rule recovery 9). */
export async function endCredentials(manager: EntityManager, event: UserEvent): Promise<void> {
  if (event.kind === 'secondFactorDemanded') await endLoginsWithoutSecondFactor(manager, event);
  if (event.kind === 'passwordChanged') await endLogins(manager, event.userId, event.keptLoginId);
  if (event.kind !== 'disabled' && event.kind !== 'passwordReset') return;
  await endLogins(manager, event.userId);
  await forgetDevices(manager, event.userId);
}

/**
 * Ends the logins that have passed no second factor, or one that is gone, in an organisation that requires
 * one (rule login 82, rule passkeys 34).
 */
async function endLoginsWithoutSecondFactor(
  manager: EntityManager,
  { organisationId, keptLoginId = 0 }: SecondFactorDemanded,
): Promise<void> {
  await manager.query(LOCK_USERS_WITHOUT_SECOND_FACTOR, [organisationId]);
  await manager.query(END_WITHOUT_SECOND_FACTOR, [organisationId, keptLoginId]);
}
