import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { JobHandler, type RunningJob } from '@app/platform/jobs/job-handler';
import { queueJob } from '@app/platform/jobs/queue-job';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { isSuspended } from '@app/security/access/access.queries';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { MAIL_PRIORITIES, SEND_MAIL } from './mail.types';
import { MailBudget } from './mail-budget';
import { MailDelivery } from './mail-delivery';
import { type MailPayload, openedMail } from './outbox';

interface MailState {
  readonly isOver: boolean;
  readonly isHeld: boolean;
}

/** Parameters: the end of the mail's lifetime, and the organisation that its link leads to. */
const STATE = prepared<MailState>(`
  SELECT coalesce($1::timestamptz <= now(), false) AS "isOver", ${isSuspended('$2::integer')} AS "isHeld"`);

/**
 * Sends a queued mail, or drops it if it has expired. A mail beyond the budget of its organisation
 * waits for the next hour. A mail whose link leads to a suspended organisation waits too, because its
 * reader would find a dead link.
 */
@Injectable()
export class SendMailHandler extends JobHandler {
  readonly task = SEND_MAIL;
  override readonly lane = 'mails';

  constructor(
    private readonly delivery: MailDelivery,
    private readonly keyring: SecretsKeyring,
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly budget: MailBudget,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async run(received: unknown, job: RunningJob): Promise<void> {
    const payload = received as MailPayload;
    const { template, language, mailId, origin, expiresAt = null, opens = null } = payload;
    const { isOver, isHeld } = (await this.queries.row<MailState>(STATE, [expiresAt, opens])) as MailState;
    if (isOver) this.logger.warn({ jobId: job.id, template }, 'mail dropped: it has expired');
    else if (isHeld || !(await this.isInBudget(payload, job))) return this.postpone(payload, job);
    const write = () => ({
      ...openedMail(this.keyring, payload),
      language,
      origin,
      id: `${job.id}.${mailId}`,
    });
    await this.delivery.deliver(job, isOver ? () => undefined : write, payload.settles);
  }

  /** Counts a mail once, at its first try. */
  private async isInBudget({ chargedTo, pot }: MailPayload, { ctx, attempt }: RunningJob): Promise<boolean> {
    if (chargedTo === undefined || attempt > 1) return true;
    const take = async (manager: EntityManager) => (await this.budget.take(manager, chargedTo, 1, pot)) === 1;
    return this.delivery.write(() => this.transactions.run(ctx, take));
  }

  private async postpone(payload: MailPayload, { ctx, key }: RunningJob): Promise<void> {
    await this.transactions.run(ctx, async (manager) =>
      queueJob(manager, {
        task: SEND_MAIL,
        payload,
        priority: MAIL_PRIORITIES[payload.template],
        runAt: await this.budget.nextHour(manager),
        ...(key !== undefined && { key }),
      }),
    );
  }
}
