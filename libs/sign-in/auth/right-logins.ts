import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { subscriberOf } from '@app/formats/ip-address';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';

/**
 * Maximum right logins in a minute (rule login 107): a server logs in all users of a panel from its
 * address. A user needs few; the bound keeps rows and mails of one account few.
 */
const MOST_OF_ADDRESS = 1000;
const MOST_OF_USER = 60;
const MINUTE = 60;

/**
 * Logins whose proofs are right. Their call was counted for its address before anything was checked, as every
 * guess is; they take back this one count, and have bounds of their own.
 */
@Injectable()
export class RightLogins {
  constructor(
    private readonly settings: Settings,
    private readonly throttler: Throttler,
    private readonly transactions: Transactions,
  ) {}

  /** Issues a login of a user in a transaction. Throws 429 past a bound; the call then stays counted. */
  async issue<Issued>(
    ctx: RequestContext,
    userId: number,
    work: (manager: EntityManager) => Promise<Issued>,
  ): Promise<Issued> {
    // Before the transaction: a count has its own connection, and a rollback must not undo it.
    await this.count([ofAddress(ctx), { bucket: ['right login of user', userId], most: MOST_OF_USER }]);
    const issued = await this.transactions.run(ctx, work);
    await this.takeBack(ctx);
    return issued;
  }

  /**
   * The first step of a login: the password is right, and the second factor is not there yet. It counts for
   * no user, because whoever only knows the password would keep the user out.
   */
  async passFirstStep(ctx: RequestContext): Promise<void> {
    await this.count([ofAddress(ctx)]);
    await this.takeBack(ctx);
  }

  /** Takes the count of the call back, once. */
  async takeBack(ctx: RequestContext): Promise<void> {
    const { countedCall } = ctx;
    ctx.countedCall = undefined;
    // The login is stored: without the database its call stays counted, and the client gets its answer.
    if (countedCall !== undefined) await this.throttler.giveBack(countedCall).catch(() => undefined);
  }

  private async count(limits: readonly ThrottleLimit[]): Promise<void> {
    if (this.settings.rateLimit) await this.throttler.reserve(limits, MINUTE);
  }
}

const ofAddress = (ctx: RequestContext): ThrottleLimit => ({
  bucket: ['right login', subscriberOf(ctx.ip)],
  most: MOST_OF_ADDRESS,
});
