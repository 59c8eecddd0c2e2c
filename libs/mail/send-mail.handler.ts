import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { MailBudget } from './mail-budget';
import { MailDelivery } from './mail-delivery';
import { type MailJob, queueMail, SEND_MAIL } from './mail-jobs';
import { MailSources } from './mail-source';

/** Sends a mail of any source, if it still waits. */
@Injectable()
export class SendMailHandler extends JobHandler {
  readonly task = SEND_MAIL;
  override readonly lane = 'mails';

  constructor(
    private readonly delivery: MailDelivery,
    private readonly sources: MailSources,
    private readonly transactions: Transactions,
    private readonly budget: MailBudget,
  ) {
    super();
  }

  async run(payload: unknown, job: RunningJob): Promise<void> {
    const { source, id } = payload as MailJob;
    const mail = await this.sources.named(source).find(id);
    if (mail === undefined) return;
    if (mail.isHeld === true) await this.postpone({ source, id }, job);
    else await this.delivery.deliver(job, { source, id }, mail);
  }

  /** The mail loses no try. */
  private async postpone(mail: MailJob, { ctx, key, priority }: RunningJob): Promise<void> {
    await this.transactions.run(ctx, async (manager) =>
      queueMail(manager, mail, {
        priority,
        runAt: await this.budget.nextHour(manager),
        ...(key !== undefined && { key }),
      }),
    );
  }
}
