import { IsNull } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { isAdmin, type Caller } from '@app/core/access/caller';
import { assertRolesGivenByLogin, validateRoles, rolesOf } from '@app/core/access/role-grants';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { Deletions } from '@app/core/deletion/deletions';
import { NotFound, RoleRequired, ValidationFailed } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { UserEvents } from './user-events';
import { User } from './user.entity';
import { USER_BY_ID, userPage } from './user.queries';
import type { UserAction, UserChanges, UserDetails, UserItem, UserOrder } from './user.types';
import { UsernameChanges } from './username-changes';

/** The rules of users: who may change what of whom, and what a change does to credentials. */
@Injectable()
export class UsersService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly deletions: Deletions,
    private readonly events: UserEvents,
    private readonly usernames: UsernameChanges,
  ) {}

  list(organisationId: number, request: ListRequest<UserOrder>): Promise<Page<UserItem>> {
    return this.paginator.page(request, userPage(organisationId, request));
  }

  async read(id: number): Promise<UserDetails> {
    const user = await this.queries.quickRow<UserDetails>(USER_BY_ID, [id]);
    if (user === undefined) throw new NotFound('User');
    return user;
  }

  async update(
    caller: Caller,
    address: string,
    { organisationId, userId: id }: { readonly organisationId: number; readonly userId: number },
    { roles, proof, ...rest }: UserChanges,
  ): Promise<void> {
    const columns: Partial<User> = rest;
    if (roles !== undefined) {
      assertRolesGivenByLogin(caller, roles);
      // Nobody but an admin changes the own roles (decisions.md section 10).
      if (caller.userId === id && !isAdmin(caller)) throw new RoleRequired();
      const error = validateRoles(caller, organisationId, roles);
      if (error !== undefined) throw ValidationFailed.on('defaultRoles', error);
      columns.roles = rolesOf(roles);
    }
    await this.usernames.confirm(caller, id, rest.username, { proof, address });
    await this.transactions.run(async (manager) => {
      await this.usernames.prepare(manager, caller, id, rest.username);
      await manager.update(User, { id }, columns);
    });
  }

  /** The name is free again; nothing that the user could log in with works any more. */
  async delete(id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.update(
        User,
        { id, deletedAt: IsNull() },
        { deletedAt: () => 'now()', passwordHash: '' },
      );
      if (affected === 0) throw new NotFound('User');
      await this.deletions.usersDeleted(manager, [id]);
    });
  }

  /** Disabling ends logins for good; enabling again revives API keys, never logins. */
  async setEnabled(id: number, { type }: UserAction): Promise<UserDetails> {
    await this.transactions.run(async (manager) => {
      await manager.update(User, { id }, { enabled: type === 'enable' });
      await this.events.announce(manager, { kind: type === 'enable' ? 'enabled' : 'disabled', userId: id });
    });
    return this.read(id);
  }
}
