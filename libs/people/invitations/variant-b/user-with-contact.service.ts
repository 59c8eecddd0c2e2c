import { Injectable } from '@nestjs/common';
import { UserEvents } from '@app/lifecycle/user-events';
import { addFirstContact } from '@app/people/contacts/first-contact';
import { assertRolesGivenByLogin, rolesOf, validateRoles } from '@app/people/users/given-roles';
import { UnavailableNames } from '@app/people/users/unavailable-names';
import type { UserDetails } from '@app/people/users/user.columns';
import type { Language } from '@app/people/users/user.types';
import { fullNameOf } from '@app/people/users/user-names';
import { createUser } from '@app/people/users/user-rows';
import { userIn } from '@app/people/users/users.service';
import { Transactions } from '@app/platform/database/transactions';
import { ValidationFailed } from '@app/platform/errors/api-error';
import type { Caller } from '@app/security/access/caller';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { assertNotUserName } from '@app/security/passwords/password-rules';

/** A user to register without an invitation. */
export interface UserToRegister {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly password: string;
  /** Unvalidated names of roles. */
  readonly roles: readonly string[];
  readonly language: Language;
}

/** Registers a user with a first contact and a password that an admin chose, without an invitation. */
@Injectable()
export class UserWithContactService {
  constructor(
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly events: UserEvents,
    private readonly names: UnavailableNames,
  ) {}

  async create(caller: Caller, organisationId: number, input: UserToRegister): Promise<UserDetails> {
    const { username, firstName, lastName, language } = input;
    assertRolesGivenByLogin(caller, input.roles);
    const error = validateRoles(caller, organisationId, input.roles);
    if (error !== undefined) throw ValidationFailed.on('defaultRoles', error);
    const roles = rolesOf(input.roles);
    assertNotUserName(input.password, username);
    const passwordHash = await this.hasher.hash(input.password, caller.client);
    return this.transactions.run(caller, async (manager) => {
      await this.names.free(manager, username, { withToken: false });
      const user = { organisationId, username, firstName, lastName, language, roles, passwordHash };
      const userId = await createUser(manager, user);
      await addFirstContact(manager, userId, username);
      await this.events.announce(manager, {
        kind: 'created',
        userId,
        organisationId,
        fullName: fullNameOf(user),
        actorId: caller.userId,
      });
      return userIn(manager, userId);
    });
  }
}
