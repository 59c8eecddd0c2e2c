import { Injectable } from '@nestjs/common';
import { TrustedDevice } from '@app/auth/trusted-device.entity';
import { Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Lists } from '@app/core/paging/lists';
import type { ListRequest, Page } from '@app/core/paging/page';
import { TOKEN2FA_BY_ID, token2faPage } from './token2fa.queries';
import type { Token2fa, Token2faOrder } from './token2fa.values';

/** The devices that a user trusts, for the user and its managers to see and to end. */
@Injectable()
export class Tokens2faService {
  constructor(
    private readonly sql: Sql,
    private readonly lists: Lists,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number, request: ListRequest<Token2faOrder>): Promise<Page<Token2fa>> {
    return this.lists.page(request, token2faPage(userId, request));
  }

  async read(userId: number, id: number): Promise<Token2fa> {
    const token = await this.sql.row<Token2fa>(TOKEN2FA_BY_ID, [userId, id]);
    if (token === undefined) throw new NotFound('Token');
    return token;
  }

  /** Ends the trust at once: neither the token nor the look of the device spares the code any more. */
  async delete(userId: number, id: number): Promise<void> {
    await this.transactions.run((manager) => manager.delete(TrustedDevice, { id, userId }));
  }
}
