import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { isAdmin, type Caller } from '@app/core/access/caller';
import { deleteApiKeys, endLogins, endRecovery, forgetDevices } from '@app/core/access/credential-revocation';
import { faultOfRoles, rolesOf } from '@app/core/access/role-grants';
import { Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { AccessDenied, NotFound, RoleRequired, ValidationFailed } from '@app/core/errors/api-error';
import { Outbox } from '@app/core/mail/outbox';
import { Lists } from '@app/core/paging/lists';
import type { ListRequest, Page } from '@app/core/paging/page';
import { PasswordChecks } from '@app/core/passwords/password-checks';
import { PasswordHasher } from '@app/core/passwords/password-hashing';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { User } from './user.entity';
import { USER_BY_ID, userPage } from './user.queries';
import type {
  PasswordChange,
  UserAction,
  UserChanges,
  UserDetails,
  UserItem,
  UserOrder,
} from './user.values';
import { prepareUsernameChange } from './username-change';
import './users.errors';

/** The rules of users: who may change what of whom, and what a change does to credentials. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly sql: Sql,
    private readonly lists: Lists,
    private readonly transactions: Transactions,
    private readonly hasher: PasswordHasher,
    private readonly checks: PasswordChecks,
    private readonly notifications: NotificationRecorder,
    private readonly outbox: Outbox,
  ) {}

  list(organisationId: number, request: ListRequest<UserOrder>): Promise<Page<UserItem>> {
    return this.lists.page(request, userPage(organisationId, request));
  }

  async read(id: number): Promise<UserDetails> {
    const user = await this.sql.row<UserDetails>(USER_BY_ID, [id]);
    if (user === undefined) throw new NotFound('User');
    return user;
  }

  async patch(caller: Caller, organisationId: number, id: number, changes: UserChanges): Promise<void> {
    const { roles, ...rest } = changes;
    const columns: Partial<User> = rest;
    refuseRenamingByKey(caller, id, changes.username);
    if (roles !== undefined) {
      // Nobody but an admin changes the own roles (decisions.md section 10).
      if (caller.userId === id && !isAdmin(caller)) throw new RoleRequired();
      const fault = faultOfRoles(caller, organisationId, roles);
      if (fault !== undefined) throw ValidationFailed.on('defaultRoles', fault);
      columns.roles = rolesOf(roles);
    }
    await this.transactions.run(async (manager) => {
      await prepareUsernameChange(manager, this.outbox, id, changes.username);
      await manager.update(User, { id }, columns);
    });
  }

  /** The name is free again; nothing that the user could log in with works any more. */
  async delete(id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      await manager.update(User, { id }, { deletedAt: () => 'now()', passwordHash: '' });
      await endLogins(manager, id);
      await endRecovery(manager, id);
      await forgetDevices(manager, id);
      await deleteApiKeys(manager, id);
      await manager.query(`DELETE FROM team_members WHERE user_id = $1`, [id]);
      await manager.query(`DELETE FROM ssh_keys WHERE user_id = $1`, [id]);
      await manager.query(`DELETE FROM contacts WHERE user_id = $1`, [id]);
      await manager.query(`DELETE FROM user_preferences WHERE user_id = $1`, [id]);
    });
  }

  /** Disabling ends logins for good; enabling again revives API keys, never logins. */
  async switch(id: number, { type }: UserAction): Promise<UserDetails> {
    await this.transactions.run(async (manager) => {
      await manager.update(User, { id }, { enabled: type === 'enable' });
      await endRecovery(manager, id);
      if (type !== 'disable') return;
      await endLogins(manager, id);
      await forgetDevices(manager, id);
    });
    return this.read(id);
  }

  /** The user's other logins end; the one that made the change and the API keys go on. */
  async changePassword(caller: Caller, address: string, change: PasswordChange): Promise<UserDetails> {
    const { username, passwordHash } = await this.users.findOneByOrFail({ id: caller.userId });
    const verdict = await this.checks.check(username, address, change.oldPassword, passwordHash);
    if (!verdict.matches) throw notThePresentPassword();
    const newHash = await this.hasher.hash(change.newPassword);
    await this.transactions.run(async (manager) => {
      // Only what was checked is replaced: of two changes at once, or of a change and a reset, one counts.
      const checked = { id: caller.userId, passwordHash };
      const { affected } = await manager.update(User, checked, { passwordHash: newHash });
      if (affected !== 1) throw notThePresentPassword();
      await endLogins(manager, caller.userId, caller.credential.id);
      await endRecovery(manager, caller.userId);
      await this.notifications.record(manager, {
        organisationId: caller.organisationId,
        group: 'System',
        type: 'password_changed',
        entityClass: 'User',
        entityId: caller.userId,
        entityName: username,
        userId: caller.userId,
      });
    });
    return this.read(caller.userId);
  }
}

const notThePresentPassword = (): ValidationFailed =>
  ValidationFailed.on('oldPassword', 'This is not the present password.');

/** A key changes no password: nor the address that the way to a new one is mailed to (decisions.md section 6). */
function refuseRenamingByKey({ credential, userId, username }: Caller, id: number, newName: string): void {
  const renames = userId === id && newName.toLowerCase() !== username.toLowerCase();
  if (credential.kind === 'api_key' && renames) {
    throw new AccessDenied('An API key does not change the name of its own user');
  }
}
