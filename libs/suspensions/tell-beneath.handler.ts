import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { JobHandler } from '@app/core/jobs/job-handler';
import { NEXT_TOLD } from './suspension.queries';
import { SuspensionNotices, TELL_BENEATH, type BeneathJob } from './suspension-notices';

/** Organisations that are told in one transaction. */
const BATCH = 200;

/** Tells the organisations beneath a suspended one, each once, a batch a job. */
@Injectable()
export class TellBeneathHandler extends JobHandler {
  readonly task = TELL_BENEATH;

  constructor(
    private readonly transactions: Transactions,
    private readonly notices: SuspensionNotices,
  ) {
    super();
  }

  async run(payload: unknown): Promise<void> {
    const { kind, organisationId, after } = payload as BeneathJob;
    await this.transactions.run(async (manager) => {
      const told = await manager.query<{ id: number; name: string }[]>(NEXT_TOLD, [
        organisationId,
        after,
        kind,
        BATCH,
      ]);
      for (const organisation of told) await this.notices.tellBeneath(manager, kind, organisation);
      const last = told[BATCH - 1];
      if (last !== undefined) await this.notices.queue(manager, { kind, organisationId, after: last.id });
    });
  }
}
