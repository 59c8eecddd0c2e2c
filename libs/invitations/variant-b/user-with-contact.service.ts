import { Injectable } from '@nestjs/common';
import { addFirstContact } from '@app/contacts/first-contact';
import type { Caller } from '@app/core/access/caller';
import { assertRolesGivenByLogin, validateRoles, rolesOf } from '@app/core/access/role-grants';
import { Transactions } from '@app/core/database/transactions';
import { ValidationFailed } from '@app/core/errors/api-error';
import { userOf } from '@app/core/passwords/hashing-origins';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import { fullNameOf } from '@app/core/text/person-name';
import { createUser } from '@app/users/user-creation';
import { UserEvents } from '@app/users/user-events';
import type { UserDetails } from '@app/users/user.types';
import { UsersService } from '@app/users/users.service';
import type { UserToRegister } from './user-with-contact.types';

/** Registers somebody without an invitation: the same user and first contact, a password chosen by an admin. */
@Injectable()
export class UserWithContactService {
  constructor(
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly events: UserEvents,
  ) {}

  async create(caller: Caller, organisationId: number, input: UserToRegister): Promise<UserDetails> {
    const { username, firstName, lastName, language } = input;
    assertRolesGivenByLogin(caller, input.roles);
    const error = validateRoles(caller, organisationId, input.roles);
    if (error !== undefined) throw ValidationFailed.on('defaultRoles', error);
    const roles = rolesOf(input.roles);
    const passwordHash = await this.hasher.hash(input.password, userOf(caller.organisationId, caller.userId));
    const id = await this.transactions.run(async (manager) => {
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
      return userId;
    });
    return this.users.read(id);
  }
}
