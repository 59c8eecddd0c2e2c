import type { StepUpProof } from '../user.types';
import type { UserDetails } from '../user.columns';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/security/access/access.decorators';
import { Transactions } from '@app/platform/database/transactions';
import { createUser } from '../user-rows';
import { UserEvents } from '@app/lifecycle/user-events';
import { User } from '../user.entity';
import { UsernameChanges } from '../username-changes';
import { UsersService } from '../users.service';
import { fullNameOf } from '../user-names';

/** Body of `POST …/users`: a user of the previous panel. */
export interface MigratedUser {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Password hash in a form that `parseCryptHash` reads. The first login replaces it. */
  readonly passwordHash: string;
  /** On a change, undefined leaves the field unchanged and null clears it. */
  readonly websiteOrderInformation: string | null | undefined;
}

/** Body of `PATCH …/cp3/users/{userId}`. */
export interface MigratedUserChange extends MigratedUser {
  /** Required from users who change their own name. */
  readonly proof: StepUpProof;
}

/** Users of the previous panel, with the password hashes from there. */
@Injectable()
export class MigratedUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly events: UserEvents,
    private readonly usernames: UsernameChanges,
  ) {}

  async create(caller: Caller, organisationId: number, user: MigratedUser): Promise<UserDetails> {
    const id = await this.transactions.run(caller, async (manager) => {
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
    return this.users.read(id, caller);
  }

  /** Another hash means another password, so existing logins end. */
  async update(
    caller: Caller,
    { organisationId, userId: id }: { readonly organisationId: number; readonly userId: number },
    { proof, ...user }: MigratedUserChange,
  ): Promise<UserDetails> {
    await this.usernames.confirm(caller, id, user.username, proof);
    await this.transactions.run(caller, async (manager) => {
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
        // Admins who change themselves keep the presented login.
        keptLoginId: caller.credential.kind === 'login' ? caller.credential.id : undefined,
      });
    });
    return this.users.read(id, caller);
  }
}
