import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { Transactions } from '@app/core/database/transactions';
import { fullNameOf } from '@app/core/text/person-name';
import { createUser } from '../user-creation';
import { UserEvents } from '../user-events';
import { User } from '../user.entity';
import type { UserDetails } from '../user.types';
import { UsernameChanges } from '../username-changes';
import { UsersService } from '../users.service';
import type { MigratedUser, MigratedUserChange } from './migrated-user.types';

/** Users who come from the previous panel generation with the password hash that they had there. */
@Injectable()
export class MigratedUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly events: UserEvents,
    private readonly usernames: UsernameChanges,
  ) {}

  async create(caller: Caller, organisationId: number, user: MigratedUser): Promise<UserDetails> {
    const id = await this.transactions.run(async (manager) => {
      const userId = await createUser(manager, { ...user, organisationId, language: 'nl', roles: [] });
      await this.events.announce(manager, {
        kind: 'created',
        userId,
        organisationId,
        fullName: fullNameOf(user),
        actorId: caller.userId,
      });
      return userId;
    });
    return this.users.read(id);
  }

  /** Another hash is another password: logins that were made with the one before end. */
  async update(
    caller: Caller,
    address: string,
    { organisationId, userId: id }: { readonly organisationId: number; readonly userId: number },
    { proof, ...user }: MigratedUserChange,
  ): Promise<UserDetails> {
    await this.usernames.confirm(caller, id, user.username, { proof, address });
    await this.transactions.run(async (manager) => {
      await this.usernames.prepare(manager, caller, id, user.username);
      const before = await manager.findOneByOrFail(User, { id });
      await manager.update(User, { id }, user);
      if (before.passwordHash === user.passwordHash) return;
      await this.events.announce(manager, {
        kind: 'passwordChanged',
        userId: id,
        organisationId,
        username: user.username,
        actorId: caller.userId,
        // An admin who patches itself keeps the login that it does so with.
        keptLoginId: caller.credential.kind === 'login' ? caller.credential.id : undefined,
      });
    });
    return this.users.read(id);
  }
}
