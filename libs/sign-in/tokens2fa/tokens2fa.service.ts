import { Injectable } from '@nestjs/common';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { found, NotFound } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { RequestContext } from '@app/security/context/request-context';
import { forgetDevice } from '@app/sign-in/auth/second-factor';
import { type Token2fa, TOKEN2FA_BY_ID, type Token2faOrder, token2faPage } from './token2fa.columns';

/** Shows and ends the trusted devices of a user. */
@Injectable()
export class Tokens2faService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number, request: ListRequest<Token2faOrder>): Promise<Page<Token2fa>> {
    return this.paginator.page(request, token2faPage(userId, request));
  }

  async read(userId: number, id: number): Promise<Token2fa> {
    return found(await this.queries.row<Token2fa>(TOKEN2FA_BY_ID, [userId, id]), 'Token');
  }

  async delete(ctx: RequestContext, userId: number, id: number): Promise<void> {
    const wasThere = await this.transactions.run(ctx, (manager) => forgetDevice(manager, userId, id));
    if (!wasThere) throw new NotFound('Token');
  }
}
