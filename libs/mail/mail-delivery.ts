import { setTimeout as pauseFor } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '@app/config/settings';
import type { Bulkhead } from '@app/platform/concurrency/bulkhead';
import { Bulkheads } from '@app/platform/concurrency/bulkheads';
import type { FairLimiter } from '@app/platform/concurrency/fair-limiter';
import { OtherServerFailed, wordsOf } from '@app/platform/errors/other-server-failed';
import { isOutage } from '@app/platform/errors/sqlstate';
import { BackgroundWork } from '@app/platform/jobs/background-work';
import type { RunningJob } from '@app/platform/jobs/job-handler';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { inSpan, type SpanOptions } from '@app/platform/observability/tracing';
import { type Brand, panelOf, withBrand } from './brands';
import { MailBrands } from './mail-brands';
import type { MailJob } from './mail-jobs';
import { renderMail } from './mail-rendering';
import type { MailOutcome, ReadyMail, WaitingMail } from './mail-source';
import { MailTransport } from './mail-transport';
import { senderOf } from './sender';
import { isRefusedForGood } from './smtp-connections';

/** Milliseconds of retries to store the outcome of a mail, longer than a failover of the database. */
const OUTCOME_TIMEOUT = 40_000;
/** Milliseconds between two of these retries: the first pause, and the longest. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 2000;

/** Milliseconds that a process waits for its mails in hand when it stops. */
const STOP_TIMEOUT = 10_000;

/** Few at once, so that requests keep the connections to the database. Every one gets its turn. */
const MAIL_WRITES: Bulkhead = {
  name: 'mail_writes',
  work: 'Outcomes of mails that are stored',
  permits: 3,
  queue: { maxWaiting: Infinity, maxWaitMs: 2 * OUTCOME_TIMEOUT },
};

/** Maximum length of a stored failure. */
const MAX_FAILURE_LENGTH = 255;

/** Every mail leaves the service here: it is written in its language and sent, and its outcome is stored. */
@Injectable()
export class MailDelivery extends BackgroundWork implements OnModuleDestroy, OnApplicationShutdown {
  private readonly domain: string;
  private readonly attributes: SpanOptions['attributes'];
  private readonly writes: FairLimiter;
  private ending: NodeJS.Timeout | undefined;

  constructor(
    private readonly transport: MailTransport,
    private readonly settings: Settings,
    private readonly brands: MailBrands,
    @Inject(APP_LOGGER) private readonly logger: Logger,
    bulkheads: Bulkheads,
  ) {
    super();
    this.writes = bulkheads.open(MAIL_WRITES);
    this.domain = settings.mailFrom.slice(settings.mailFrom.lastIndexOf('@') + 1);
    this.attributes = serverOf(settings.smtpUrl);
  }

  /** Does not wait: the jobs that stop meanwhile wait for the mails in hand, or for this end of them. */
  stop(): Promise<void> {
    this.ending ??= setTimeout(() => this.transport.close?.(true), STOP_TIMEOUT).unref();
    return Promise.resolve();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  onApplicationShutdown(): void {
    this.transport.close?.();
  }

  /** For the job of the mail. Rejects so that the job tries again. */
  async deliver(job: RunningJob, named: MailJob, waiting: WaitingMail): Promise<void> {
    let mail: ReadyMail | undefined;
    try {
      const brand = await this.brands.of(waiting);
      mail = await waiting.write(job.ctx, brand);
      if (mail !== undefined)
        await this.send(mail, brand, { isUrgent: job.priority === 'urgent', isLast: named.isLast === true });
    } catch (error) {
      const isFinal = isRefusedForGood(causeOf(error));
      // An outage of the database takes no try of the job.
      if (isFinal || (job.isLastTry && !isOutage(error))) {
        this.logger.error({ err: error, jobId: job.id, mail: named }, 'mail could not be delivered');
        await this.recordFinalOutcome(job, waiting, { status: 'failed', message: failureMessage(error) });
      }
      if (isFinal) return;
      throw error;
    }
    if (mail === undefined) return this.recordOutcome(job, waiting, { status: 'skipped', message: '' });
    const { template } = mail.content;
    this.logger.info({ jobId: job.id, template }, 'mail sent');
    await this.recordFinalOutcome(job, waiting, { status: 'sent', message: '' });
  }

  private async send(
    { content, to, language, id, origin }: ReadyMail,
    brand: Brand | undefined,
    { isUrgent, isLast }: { readonly isUrgent: boolean; readonly isLast: boolean },
  ): Promise<void> {
    const { attributes } = this;
    const { mailFrom: from, mailFromName, panelUrl } = this.settings;
    const sender = withBrand(senderOf(this.settings, origin), brand);
    const { replyTo } = sender;
    // That of the moment of sending: the process that queued the mail had the template alone.
    const panel = panelOf(brand, panelUrl ?? sender.panelUrl);
    const message = {
      ...renderMail(content, language, sender, { panelUrl: panel, isLast }),
      from,
      fromName: brand?.name ?? mailFromName,
      to,
      ...(replyTo !== undefined && { replyTo }),
      messageId: `<${id}@${this.domain}>`,
    };
    const handOver = () => this.transport.deliver(message, isUrgent);
    try {
      await inSpan(`mail ${content.template}`, { kind: 'CLIENT', attributes }, handOver);
    } catch (error) {
      throw new OtherServerFailed(error, withoutAddress(wordsOf(error), to));
    }
  }

  /** Never rejects: another try of the job would send the mail again, or there is none. */
  private async recordFinalOutcome(
    job: RunningJob,
    waiting: WaitingMail,
    outcome: MailOutcome,
  ): Promise<void> {
    try {
      await this.recordOutcome(job, waiting, outcome);
    } catch (error) {
      this.logger.error({ err: error, jobId: job.id, outcome }, 'the outcome of a mail is not stored');
    }
  }

  /**
   * Tries for longer than a deadlock or an outage of the database lasts. Many mails at once take no more of
   * the database than a few would.
   */
  private async recordOutcome(
    { ctx }: RunningJob,
    waiting: WaitingMail,
    outcome: MailOutcome,
  ): Promise<void> {
    const end = performance.now() + OUTCOME_TIMEOUT;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        return await this.writes.run(undefined, () => waiting.recordOutcome(ctx, outcome));
      } catch (error) {
        if (performance.now() + pause > end) throw error;
      }
      await pauseFor(pause);
    }
  }
}

/**
 * Mail servers repeat the address that they refuse. The job keeps their words, which no erasure searches.
 */
function withoutAddress(words: string, address: string): string {
  const literal = address.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  return words.replaceAll(new RegExp(literal, 'gi'), '(address)');
}

/** What the mail server did; undefined for failures of the service itself. */
const causeOf = (error: unknown): unknown => (error instanceof OtherServerFailed ? error.cause : undefined);

/** The mail server in traces, without the password of the URL. */
function serverOf(smtpUrl: string | undefined): SpanOptions['attributes'] {
  if (smtpUrl === undefined) return {};
  const { hostname, port } = new URL(smtpUrl);
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) };
}

/**
 * Readers of a notification see only the mail server's reply. Other errors describe the operator's machines.
 */
function failureMessage(error: unknown): string {
  const { response } = (causeOf(error) ?? {}) as { response?: unknown };
  if (typeof response !== 'string') return 'The mail server could not be reached.';
  return [...response.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')].slice(0, MAX_FAILURE_LENGTH).join('');
}
