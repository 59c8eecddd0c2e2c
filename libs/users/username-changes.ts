import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { UserEvents } from './user-events';
import { ApiKeyRenames } from './users.errors';
import { User } from './user.entity';

/** What a new user name brings with it. */
@Injectable()
export class UsernameChanges {
  constructor(private readonly events: UserEvents) {}

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
    if (user === null || user.username.toLowerCase() === newUsername.toLowerCase()) return;
    // The way to a new password is mailed to the name, and a key changes none.
    if (credential.kind === 'api_key') throw new ApiKeyRenames();
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
