import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { Deletions } from '@app/lifecycle/deletions';
import { UserEvents } from '@app/lifecycle/user-events';
import { DatabaseReads, prepared, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { assertFound, found, RoleRequired, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { assertActsItself } from '@app/security/access/impersonation';
import { assertRolesGivenByLogin, givesManagingRole, rolesOf, validateRoles } from './given-roles';
import { StepUp } from './step-up';
import { USER_BY_ID, type UserDetails, type UserItem, type UserOrder, userPage } from './user.columns';
import { User } from './user.entity';
import type { UserAction, UserChanges } from './user.types';
import { assertNamesFit } from './user-rows';
import { UsernameChanges } from './username-changes';

/** What says whether a change of the user $1 needs the proof of `STEP_UP`. */
export const STORED_USER = prepared<Pick<User, 'username' | 'roles' | 'passwordHash'>>(`
  SELECT username, roles, password_hash AS "passwordHash" FROM users WHERE id = $1 AND deleted_at IS NULL`);

/** The rules of users: who may change which field, and how a change affects credentials. */
@Injectable()
export class UsersService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly deletions: Deletions,
    private readonly events: UserEvents,
    private readonly usernames: UsernameChanges,
    private readonly stepUp: StepUp,
  ) {}

  list(organisationId: number, request: ListRequest<UserOrder>): Promise<Page<UserItem>> {
    return this.paginator.page(request, userPage(organisationId, request));
  }

  async read(id: number): Promise<UserDetails> {
    return found(await this.queries.row<UserDetails>(USER_BY_ID, [id]), 'User');
  }

  async update(
    caller: Caller,
    { organisationId, userId: id }: { readonly organisationId: number; readonly userId: number },
    { roles, proof, ...rest }: UserChanges,
  ): Promise<void> {
    const columns: Partial<User> = rest;
    if (roles !== undefined) {
      assertActsItself(caller);
      assertRolesGivenByLogin(caller, roles);
      // Only admins may change their own roles (rule rights 16, rule rights 17).
      if (caller.userId === id && !isAdmin(caller)) throw new RoleRequired();
      const error = validateRoles(caller, organisationId, roles);
      if (error !== undefined) throw ValidationFailed.on('defaultRoles', error);
      columns.roles = rolesOf(roles);
    }
    await this.stepUp.confirmIf(caller, proof, async () => {
      const before = await this.queries.row(STORED_USER, [id]);
      if (before === undefined) return false;
      const isRenamed = this.usernames.isOther(caller, before.username, rest.username);
      return isRenamed || givesManagingRole(before.roles, roles ?? []);
    });
    await this.transactions.run(caller, async (manager) => {
      await assertNamesFit(manager, id, rest);
      const name = await this.usernames.prepare(manager, caller, id, rest.username);
      await manager.update(User, { id }, { ...columns, ...name.columns });
      await this.usernames.announce(manager, name);
      if (roles === undefined) return;
      await this.events.announce(manager, {
        kind: 'rolesChanged',
        userId: id,
        organisationId,
        username: rest.username,
        roles,
        formerRoles: name.user.roles,
        actorId: caller.actorId,
      });
    });
  }

  /** Frees the user name and ends all credentials of the user. */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await assertFound(
        manager.update(User, { id, deletedAt: IsNull() }, { deletedAt: () => 'now()', passwordHash: '' }),
        'User',
      );
      const { organisationId, roles, enabled } = await manager.findOneByOrFail(User, { id });
      await this.events.announce(manager, {
        kind: 'deleted',
        userId: id,
        organisationId,
        isManager: enabled && roles.includes('ROLE_CUSTADMIN'),
        actorId: caller.actorId,
      });
      await this.deletions.usersDeleted(manager, [id]);
    });
  }

  /** Disabling ends all logins. Enabling makes API keys valid again, but not logins. */
  async setEnabled(caller: Caller, id: number, { type }: UserAction): Promise<UserDetails> {
    return this.transactions.run(caller, async (manager) => {
      const { organisationId, username, roles, enabled: wasEnabled } = await lockUser(manager, id);
      const enabled = type === 'enable';
      await manager.update(User, { id }, { enabled });
      await this.events.announce(manager, {
        kind: enabled ? 'enabled' : 'disabled',
        userId: id,
        organisationId,
        username,
        isManager: roles.includes('ROLE_CUSTADMIN'),
        isChange: enabled !== wasEnabled,
        actorId: caller.actorId,
      });
      return userIn(manager, id);
    });
  }
}

/** The user as the transaction has changed it. */
export const userIn = async (manager: EntityManager, id: number): Promise<UserDetails> =>
  found(await rowIn<UserDetails>(manager, USER_BY_ID, [id]), 'User');

/** The user before a change. The lock lets the second of two concurrent changes see the first. */
async function lockUser(manager: EntityManager, id: number): Promise<User> {
  return found(
    await manager.findOne(User, { where: { id, deletedAt: IsNull() }, lock: { mode: 'for_no_key_update' } }),
    'User',
  );
}
