import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { MailDelivery } from './mail-delivery';
import { type MailJob, queueMail, SEND_MAIL } from './mail-jobs';
import { MailSources } from './mail-source';

/** Milliseconds after which a mail whose link leads to a suspended organisation is looked at again. */
const POSTPONED = 3_600_000;

/** Sends a mail of any source, if it still waits. */
@Injectable()
export class SendMailHandler extends JobHandler {
  readonly task = SEND_MAIL;
  override readonly pool = 'mails';

  constructor(
    private readonly delivery: MailDelivery,
    private readonly sources: MailSources,
    private readonly transactions: Transactions,
  ) {
    super();
  }

  async run(payload: unknown, job: RunningJob): Promise<void> {
    const { source, id, isLast } = payload as MailJob;
    const named: MailJob = { source, id, ...(isLast && { isLast }) };
    const mail = await this.sources.named(source).find(id);
    if (mail === undefined) return;
    if (mail.isClosed === true) await this.postpone(named, job);
    else await this.delivery.deliver(job, named, mail);
  }

  /** The mail loses no try. */
  private async postpone(mail: MailJob, { ctx, key, priority }: RunningJob): Promise<void> {
    await this.transactions.run(ctx, async (manager) =>
      queueMail(manager, mail, {
        priority,
        runAt: new Date(Date.now() + POSTPONED),
        ...(key !== undefined && { key }),
      }),
    );
  }
}
