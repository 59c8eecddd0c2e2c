import { setTimeout as pauseFor } from 'node:timers/promises';
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
import { MailGate } from './mail-gate';
import { openedValues, type MailPayload } from './mail-payload';
import { MAIL_PRIORITIES } from './mail.types';
import { Mailer } from './mailer';
import { SEND_MAIL } from './outbox';

/** Milliseconds for which it is tried to store that a mail was sent: longer than another server takes to step in. */
const OUTCOME_PATIENCE = 40_000;
/** Milliseconds between two such tries: the first pause, and the longest. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2000;

const IS_OVER = prepared('SELECT $1::timestamptz <= now() AS over');

/**
 * Sends a queued mail, unless it is too late for it; one that finds no place in its budget, or leads where nobody is let
 * in, waits for the next hour.
 */
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
    if ((await this.isClosed(payload)) || !(await this.hasPlace(payload, job)))
      return this.postpone(payload, job);
    await this.send(payload, job);
    this.logger.info({ jobId: job.id, template }, 'mail sent');
    await this.tellOfSent(payload, job);
  }

  /** Never rejects: the mail is out, and another try of the job would send it again. */
  private async tellOfSent(payload: MailPayload, job: RunningJob): Promise<void> {
    const end = performance.now() + OUTCOME_PATIENCE;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await this.tell(payload, { status: 'sent', message: '' });
      } catch (error) {
        if (performance.now() + pause > end) {
          const { template } = payload;
          this.logger.error({ err: error, jobId: job.id, template }, 'that the mail was sent is not stored');
          return;
        }
      }
      await pauseFor(pause);
    }
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

  /** Whether it leads into an organisation that lets nobody in for the time being. */
  private async isClosed({ opens }: MailPayload): Promise<boolean> {
    if (opens === undefined) return false;
    for (const gate of orderedProviders(this.discovery, MailGate)) {
      if (await gate.isClosed(opens)) return true;
    }
    return false;
  }

  /** Asked at the first try: a mail counts once, however often it is tried. */
  private async hasPlace({ chargedTo }: MailPayload, { attempt }: RunningJob): Promise<boolean> {
    if (chargedTo === undefined || attempt > 1) return true;
    return this.transactions.run(async (manager) => (await this.budget.take(manager, chargedTo, 1)) === 1);
  }

  private async postpone(payload: MailPayload, { key }: RunningJob): Promise<void> {
    await this.transactions.run(async (manager) =>
      queueJob(manager, {
        task: SEND_MAIL,
        payload,
        priority: MAIL_PRIORITIES[payload.template],
        runAt: await this.budget.nextHour(manager),
        ...(key !== undefined && { key }),
      }),
    );
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
