import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { UserEvents } from '@app/lifecycle/user-events';
import { Transactions } from '@app/platform/database/transactions';
import { NotFound } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { RequestContext } from '@app/security/context/request-context';
import { endLogin, endLogins } from '@app/sign-in/auth/login-endings';
import { type UserLogin, type UserLoginOrder, userLoginPage } from './user-login.columns';

const LOCK_USER = 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE';

/** Shows and ends the logins of a user. */
@Injectable()
export class UserLoginsService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly events: UserEvents,
  ) {}

  list(caller: Caller, userId: number, request: ListRequest<UserLoginOrder>): Promise<Page<UserLogin>> {
    const { loginIdleTtl: idleSeconds } = this.settings;
    return this.paginator.page(
      request,
      userLoginPage({ userId, presentedId: caller.loginId, idleSeconds }, request),
    );
  }

  /** Takes effect with the next request on every node. The login may be the presented one. */
  async end(ctx: RequestContext, userId: number, id: number): Promise<void> {
    const wasThere = await this.transactions.run(ctx, (manager) => endLogin(manager, userId, id));
    if (!wasThere) throw new NotFound('Login');
  }

  /** The lock lets a login in progress come first, so that it ends too. */
  async endOthers(caller: Caller, userId: number): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await manager.query(LOCK_USER, [userId]);
      await endLogins(manager, userId, caller.loginId);
      await this.events.announce(manager, { kind: 'loginsEnded', userId });
    });
  }
}
