import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertNoSupport } from '@app/security/access/access-evaluation';
import { assertCredentialValid } from '@app/security/access/credential-lookup';
import type { Caller } from '@app/security/access/access.decorators';
import { ValidationFailed } from '@app/platform/errors/api-error';
import { UsersShapes } from './shapes/users.shapes';
import { UserEvents } from '@app/lifecycle/user-events';
import { apiKeyRenames } from './user.types';
import { User } from './user.entity';
import { validateOwnName } from './user-names';

/** Checks a new user name, and makes the changes that follow from it. */
@Injectable()
export class UsernameChanges {
  constructor(
    private readonly events: UserEvents,
    private readonly shapes: UsersShapes,
  ) {}

  /**
   * Announces the new name. Reset links to the old name end, and both e-mail addresses get a mail. A new spelling of the same
   * name is no change. Call it in the transaction that stores the name.
   *
   * @param demandProof asks for the proof of `STEP_UP` before another name is set, the own or that of somebody else
   */
  async prepare(
    manager: EntityManager,
    { credential, grant, userId: actorId }: Pick<Caller, 'credential' | 'grant' | 'userId'>,
    userId: number,
    newUsername: string,
    demandProof: () => void,
  ): Promise<void> {
    // The lock lets the second of two concurrent changes see the name that the first has set.
    const user = await manager.findOne(User, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });
    if (user === null || user.username === newUsername) return;
    const isOtherName = user.username.toLowerCase() !== newUsername.toLowerCase();
    assertNoSupport({ credential, grant });
    // Reset links go to the user name, and a key must not lead to a new password.
    if (isOtherName && credential.kind !== 'login') throw apiKeyRenames();
    const error = this.shapes.validateNewName(newUsername);
    if (error !== undefined) throw ValidationFailed.on('username', error);
    if (!isOtherName) return;
    const reserved = validateOwnName(newUsername);
    if (reserved !== undefined) throw ValidationFailed.on('username', reserved);
    demandProof();
    await assertCredentialValid(manager, credential);
    await this.events.announce(manager, {
      kind: 'renamed',
      userId,
      organisationId: user.organisationId,
      username: newUsername,
      formerName: user.username,
      actorId,
    });
  }
}

/** A restored user name with its new password. */
export interface RestoredAccount {
  readonly username: string;
  readonly passwordHash: string;
  /** Removes a second factor that was set up or requested after this time. */
  readonly since: Date;
}

const RESTORE = `
  UPDATE users u SET username = $2, password_hash = $3,
    second_factor = CASE WHEN factor.is_new THEN 'disabled' ELSE second_factor END,
    totp_secret = CASE WHEN NOT factor.is_new THEN totp_secret END,
    totp_last_step = CASE WHEN NOT factor.is_new THEN totp_last_step END
  FROM (SELECT coalesce(second_factor_changed_at >= $4, false) AS is_new FROM users WHERE id = $1) factor
  WHERE u.id = $1`;

/** Restores a former name of a user. Lock the user's row first. */
export async function restoreUsername(
  manager: EntityManager,
  userId: number,
  { username, passwordHash, since }: RestoredAccount,
): Promise<void> {
  await manager.query(RESTORE, [userId, username, passwordHash, since]);
}
