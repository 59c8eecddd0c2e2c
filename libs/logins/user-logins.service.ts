import { Injectable } from '@nestjs/common';
import { endLogin, endLogins } from '@app/auth/login-endings';
import type { Caller } from '@app/core/access/caller';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Settings } from '@app/core/settings/settings';
import { userLoginPage } from './user-login.queries';
import type { UserLogin, UserLoginOrder } from './user-login.types';

/** Where a user is logged in, for the user and its managers to see and to end. */
@Injectable()
export class UserLoginsService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  list(caller: Caller, userId: number, request: ListRequest<UserLoginOrder>): Promise<Page<UserLogin>> {
    const { loginIdleTtl: idleSeconds } = this.settings;
    const presentedId = presentedLogin(caller);
    return this.paginator.page(request, userLoginPage({ userId, presentedId, idleSeconds }, request));
  }

  /** Holds for the next request on every node, that of the presented login included. */
  async end(userId: number, id: number): Promise<void> {
    const wasThere = await this.transactions.run((manager) => endLogin(manager, userId, id));
    if (!wasThere) throw new NotFound('Login');
  }

  async endOthers(caller: Caller, userId: number): Promise<void> {
    await this.transactions.run((manager) => endLogins(manager, userId, presentedLogin(caller)));
  }
}

/** The id of the login that the request carries; 0, which no login has, for an API key. */
const presentedLogin = ({ credential }: Caller): number => (credential.kind === 'login' ? credential.id : 0);
