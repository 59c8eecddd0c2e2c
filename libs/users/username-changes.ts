import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { ValidationFailed } from '@app/core/errors/api-error';
import { UsersShapes } from './shapes/users.shapes';
import { StepUp } from './step-up';
import { UserEvents } from './user-events';
import { ApiKeyRenames } from './users.errors';
import { User } from './user.entity';
import type { StepUpProof } from './user.types';

/** What a new user name brings with it. */
@Injectable()
export class UsernameChanges {
  constructor(
    private readonly events: UserEvents,
    private readonly stepUp: StepUp,
    private readonly shapes: UsersShapes,
  ) {}

  /** Before that transaction: users who change their own name prove who they are, where `STEP_UP` asks for it. */
  async confirm(
    caller: Caller,
    userId: number,
    newUsername: string,
    { proof, address }: { readonly proof: StepUpProof; readonly address: string },
  ): Promise<void> {
    const isOwn = caller.userId === userId && caller.credential.kind === 'login';
    if (!isOwn || caller.username.toLowerCase() === newUsername.toLowerCase()) return;
    await this.stepUp.confirm(caller, proof, address);
  }

  /**
   * In the transaction that is about to store the name: reset links that went to the old address end, and both
   * addresses are told. Another spelling of the same name brings nothing.
   */
  async prepare(
    manager: EntityManager,
    { credential, userId: actorId }: Pick<Caller, 'credential' | 'userId'>,
    userId: number,
    newUsername: string,
  ): Promise<void> {
    // Locked, so that of two changes at once the second tells the address that the first has set.
    const user = await manager.findOne(User, { where: { id: userId }, lock: { mode: 'for_no_key_update' } });
    if (user === null || user.username === newUsername) return;
    const isOtherName = user.username.toLowerCase() !== newUsername.toLowerCase();
    // The way to a new password is mailed to the name, and a key changes none.
    if (isOtherName && credential.kind === 'api_key') throw new ApiKeyRenames();
    const error = this.shapes.validateNewName(newUsername);
    if (error !== undefined) throw ValidationFailed.on('username', error);
    if (!isOtherName) return;
    await assertCredentialStands(manager, credential);
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
