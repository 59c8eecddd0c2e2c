import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type StolenAccount, Takeovers } from '@app/lifecycle/takeovers';
import type { OfUser } from '@app/lifecycle/user-events';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { queueJob } from '@app/platform/jobs/queue-job';
import { TakeoverNews } from './takeover-news';

/** The job that ends what the restoration of a name had no time for. */
const END_TAKEOVER = 'takeovers.end';

/** Payload of the job: times as texts of ISO 8601. */
interface TakeoverJob extends OfUser {
  readonly since: string;
  readonly until: string;
}

/** The transaction began earlier: whoever it waited for may have acted since. */
const NOW = 'SELECT clock_timestamp() AS now';

/** Ends what a stolen account made, and tells of it. */
@Injectable()
export class EndTakeoverHandler extends JobHandler {
  readonly task = END_TAKEOVER;

  constructor(
    private readonly transactions: Transactions,
    private readonly takeovers: Takeovers,
    private readonly news: TakeoverNews,
  ) {
    super();
  }

  async run(payload: unknown, { ctx }: RunningJob): Promise<void> {
    const { since, until, userId, organisationId, username } = payload as TakeoverJob;
    const stolen = { userId, organisationId, since: new Date(since), until: new Date(until) };
    const work = async (manager: EntityManager): Promise<void> => {
      await this.takeovers.lock(manager, stolen);
      await this.end(manager, stolen, username);
    };
    await this.transactions.run(ctx, work, { isLong: true });
  }

  /** Ends what it can in one transaction. A job ends the rest. */
  async end(manager: EntityManager, stolen: StolenAccount, username: string): Promise<void> {
    const { userId, organisationId, since } = stolen;
    const { records, isWhole } = await this.takeovers.end(manager, stolen);
    const user: OfUser = { userId, organisationId, username };
    await this.news.tell(manager, user, records);
    if (isWhole) return;
    const [{ now }] = await manager.query<[{ now: Date }]>(NOW);
    const until = stolen.until ?? now;
    const payload: TakeoverJob = { ...user, since: since.toISOString(), until: until.toISOString() };
    await queueJob(manager, { task: END_TAKEOVER, payload, priority: 'urgent' });
  }
}
