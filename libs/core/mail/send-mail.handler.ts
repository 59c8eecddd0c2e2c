import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { prepared, Sql } from '../database/sql';
import { JobHandler, type RunningJob } from '../jobs/job-handler';
import { APP_LOGGER } from '../logging/logger';
import { SecretsKeyring } from '../secrets/encryption';
import { openedValues, type MailPayload } from './mail-payload';
import { Mailer } from './mailer';
import { SEND_MAIL } from './outbox';

const IS_OVER = prepared('SELECT $1::timestamptz <= now() AS over');

/** Sends a queued mail, unless it is too late for it. */
@Injectable()
export class SendMailHandler extends JobHandler {
  readonly task = SEND_MAIL;

  constructor(
    private readonly mailer: Mailer,
    private readonly keyring: SecretsKeyring,
    private readonly sql: Sql,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async run(received: unknown, job: RunningJob): Promise<void> {
    const payload = received as MailPayload;
    const { template, to, language, mailId } = payload;
    if (await this.isOver(payload.expiresAt)) {
      this.logger.warn({ jobId: job.id, template }, 'mail dropped: what it offers is over');
      return;
    }
    const values = openedValues(this.keyring, payload);
    await this.mailer.send({ template, to, language, values }, `${job.id}.${mailId}`);
    this.logger.info({ jobId: job.id, template }, 'mail sent');
  }

  private async isOver(expiresAt: string | undefined): Promise<boolean> {
    if (expiresAt === undefined) return false;
    return (await this.sql.row<{ over: boolean }>(IS_OVER, [expiresAt]))?.over === true;
  }
}
