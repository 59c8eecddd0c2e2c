import type { EntityManager } from 'typeorm';
import { isMailable, type OwnAddress } from '@app/people/users/own-addresses';
import type { NameState } from '@app/people/users/proved-names';
import { recoveryEmailOf } from '@app/people/users/recovery-email';

/**
 * Time in which recovery of a user with an unproved name does not go there, so that the
 * owner of the account can act.
 */
const UNPROVED_RECOVERY_AGE = '72 hours';

/** A user with a name that may be unproved. */
export interface RecoveringUser extends NameState {
  readonly id: number;
  /** Whether the unproved name is younger than {@link UNPROVED_RECOVERY_AGE}. */
  readonly isNewName: boolean;
}

/** SQL for {@link RecoveringUser.isNewName} of the user with an alias. */
export const isNewName = (user: string): string =>
  `coalesce(${user}.renamed_at > now() - interval '${UNPROVED_RECOVERY_AGE}', false)`;

/** An address for recovery mail. */
export interface RecoveryAddress extends OwnAddress {
  /** Whether it is the present user name, which a followed link proves. */
  readonly isUsername: boolean;
}

/**
 * Where the recovery mail of a user goes (rule recovery 66, rule recovery 70): for a while to the last proved
 * name, if its user gave the unproved one; to nobody, if the last proved name is somebody else's by now.
 */
export async function recoveryAddressOf(
  manager: EntityManager,
  { id, username, toldName, nameGivenBy, isNewName: isNew }: RecoveringUser,
): Promise<RecoveryAddress | undefined> {
  const isTold = toldName !== null && nameGivenBy !== 'other' && isNew;
  if (isTold && (nameGivenBy === 'both' || toldName === '')) return undefined;
  const value = await recoveryEmailOf(manager, id, isTold ? toldName : username);
  if (value === undefined || !isMailable(value)) return undefined;
  const isUsername = value.toLowerCase() === username.toLowerCase();
  return { value, isUsername, isProved: !isUsername || toldName === null };
}
