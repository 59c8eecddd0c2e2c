import { Injectable } from '@nestjs/common';
import { forgetDevice } from '@app/auth/device-trust';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { TOKEN2FA_BY_ID, token2faPage } from './token2fa.queries';
import type { Token2fa, Token2faOrder } from './token2fa.types';

/** The devices that a user trusts, for the user and its managers to see and to end. */
@Injectable()
export class Tokens2faService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number, request: ListRequest<Token2faOrder>): Promise<Page<Token2fa>> {
    return this.paginator.page(request, token2faPage(userId, request));
  }

  async read(userId: number, id: number): Promise<Token2fa> {
    const token = await this.queries.quickRow<Token2fa>(TOKEN2FA_BY_ID, [userId, id]);
    if (token === undefined) throw new NotFound('Token');
    return token;
  }

  async delete(userId: number, id: number): Promise<void> {
    const wasThere = await this.transactions.run((manager) => forgetDevice(manager, userId, id));
    if (!wasThere) throw new NotFound('Token');
  }
}
