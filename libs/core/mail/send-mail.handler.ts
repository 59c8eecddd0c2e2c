import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Logger } from 'pino';
import { prepared, PreparedQueries } from '../database/prepared-queries';
import { Transactions } from '../database/transactions';
import { orderedProviders } from '../discovery/ordered-providers';
import { JobHandler, type RunningJob } from '../jobs/job-handler';
import { queueJob } from '../jobs/queue-job';
import { APP_LOGGER } from '../logging/logger';
import { SecretsKeyring } from '../secrets/encryption';
import { failureMessage } from './failure-message';
import { MailBudget } from './mail-budget';
import { MailFollower, type MailOutcome } from './mail-follower';
import { openedValues, type MailPayload } from './mail-payload';
import { MAIL_PRIORITIES } from './mail.types';
import { Mailer } from './mailer';
import { SEND_MAIL } from './outbox';

const IS_OVER = prepared('SELECT $1::timestamptz <= now() AS over');

/** Sends a queued mail, unless it is too late for it; one that finds no place in its budget waits for the next hour. */
@Injectable()
export class SendMailHandler extends JobHandler {
  readonly task = SEND_MAIL;

  constructor(
    private readonly mailer: Mailer,
    private readonly keyring: SecretsKeyring,
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly budget: MailBudget,
    private readonly discovery: DiscoveryService,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async run(received: unknown, job: RunningJob): Promise<void> {
    const payload = received as MailPayload;
    const { template } = payload;
    if (await this.isOver(payload.expiresAt)) {
      this.logger.warn({ jobId: job.id, template }, 'mail dropped: what it offers is over');
      return this.tell(payload, { status: 'skipped', message: '' });
    }
    if (!(await this.hasPlace(payload, job))) return;
    await this.send(payload, job);
    this.logger.info({ jobId: job.id, template }, 'mail sent');
    await this.tell(payload, { status: 'sent', message: '' });
  }

  private async send(payload: MailPayload, job: RunningJob): Promise<void> {
    const { template, to, language, mailId } = payload;
    try {
      const values = openedValues(this.keyring, payload);
      await this.mailer.send({ template, to, language, values }, `${job.id}.${mailId}`);
    } catch (error) {
      if (job.isLastTry) await this.tell(payload, { status: 'failed', message: failureMessage(error) });
      throw error;
    }
  }

  /** Asked at the first try: a mail counts once, however often it is tried. */
  private hasPlace(payload: MailPayload, job: RunningJob): Promise<boolean> {
    const { chargedTo, template } = payload;
    if (chargedTo === undefined || job.attempt > 1) return Promise.resolve(true);
    return this.transactions.run(async (manager) => {
      if ((await this.budget.take(manager, chargedTo, 1)) === 1) return true;
      await queueJob(manager, {
        task: SEND_MAIL,
        payload,
        priority: MAIL_PRIORITIES[template],
        runAt: await this.budget.nextHour(manager),
        ...(job.key !== undefined && { key: job.key }),
      });
      return false;
    });
  }

  private async tell({ reference }: MailPayload, outcome: MailOutcome): Promise<void> {
    if (reference === undefined) return;
    for (const follower of orderedProviders(this.discovery, MailFollower)) {
      await follower.follow(reference, outcome);
    }
  }

  private async isOver(expiresAt: string | undefined): Promise<boolean> {
    if (expiresAt === undefined) return false;
    return (await this.queries.row<{ over: boolean }>(IS_OVER, [expiresAt]))?.over === true;
  }
}
