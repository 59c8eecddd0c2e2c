import { Injectable } from '@nestjs/common';
import { addFirstContact } from '@app/contacts/first-contact';
import type { Caller } from '@app/core/access/caller';
import { faultOfRoles, rolesOf } from '@app/core/access/role-grants';
import { Transactions } from '@app/core/database/transactions';
import { ValidationFailed } from '@app/core/errors/api-error';
import { PasswordHasher } from '@app/core/passwords/password-hashing';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { createUser } from '@app/users/user-creation';
import type { UserDetails } from '@app/users/user.values';
import { UsersService } from '@app/users/users.service';
import type { UserToRegister } from './user-with-contact.shapes';

/** Registers somebody without an invitation: the same user and first contact, a password chosen by an admin. */
@Injectable()
export class UserWithContactService {
  constructor(
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
  ) {}

  async create(caller: Caller, organisationId: number, input: UserToRegister): Promise<UserDetails> {
    const { username, firstName, lastName, language } = input;
    const fault = faultOfRoles(caller, organisationId, input.roles);
    if (fault !== undefined) throw ValidationFailed.on('defaultRoles', fault);
    const roles = rolesOf(input.roles);
    const passwordHash = await this.hasher.hash(input.password);
    const id = await this.transactions.run(async (manager) => {
      const user = { organisationId, username, firstName, lastName, language, roles, passwordHash };
      const userId = await createUser(manager, user);
      await addFirstContact(manager, userId, username);
      await this.notifications.record(manager, {
        organisationId,
        group: 'Crm',
        type: 'new',
        entityClass: 'User',
        entityId: userId,
        entityName: `${firstName} ${lastName}`,
        userId: caller.userId,
      });
      return userId;
    });
    return this.users.read(id);
  }
}
