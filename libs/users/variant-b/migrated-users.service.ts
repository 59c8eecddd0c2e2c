import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/core/access/caller';
import { endLogins, endRecovery } from '@app/core/access/credential-revocation';
import { Transactions } from '@app/core/database/transactions';
import { Outbox } from '@app/core/mail/outbox';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { createUser } from '../user-creation';
import { User } from '../user.entity';
import type { UserDetails } from '../user.values';
import { prepareUsernameChange } from '../username-change';
import { UsersService } from '../users.service';
import type { MigratedUser } from './migrated-user.values';

/** Users who come from the previous panel generation with the password hash that they had there. */
@Injectable()
export class MigratedUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
    private readonly outbox: Outbox,
  ) {}

  async create(caller: Caller, organisationId: number, user: MigratedUser): Promise<UserDetails> {
    const id = await this.transactions.run(async (manager) => {
      const userId = await createUser(manager, { ...user, organisationId, language: 'nl', roles: [] });
      await this.notifications.record(manager, {
        organisationId,
        group: 'Crm',
        type: 'new',
        entityClass: 'User',
        entityId: userId,
        entityName: `${user.firstName} ${user.lastName}`,
        userId: caller.userId,
      });
      return userId;
    });
    return this.users.read(id);
  }

  /** Another hash is another password: logins that were made with the one before end. */
  async patch(caller: Caller, organisationId: number, id: number, user: MigratedUser): Promise<UserDetails> {
    await this.transactions.run(async (manager) => {
      await prepareUsernameChange(manager, this.outbox, id, user.username);
      const before = await manager.findOneByOrFail(User, { id });
      await manager.update(User, { id }, user);
      if (before.passwordHash !== user.passwordHash)
        await this.endPassword(manager, caller, organisationId, id, user);
    });
    return this.users.read(id);
  }

  private async endPassword(
    manager: EntityManager,
    caller: Caller,
    organisationId: number,
    id: number,
    { username }: MigratedUser,
  ): Promise<void> {
    const { kind, id: credentialId } = caller.credential;
    // An admin who patches itself keeps the login that it does so with.
    await endLogins(manager, id, kind === 'login' ? credentialId : undefined);
    await endRecovery(manager, id);
    await this.notifications.record(manager, {
      organisationId,
      group: 'System',
      type: 'password_changed',
      entityClass: 'User',
      entityId: id,
      entityName: username,
      userId: caller.userId,
    });
  }
}
