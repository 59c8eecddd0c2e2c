import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { type EntityManager, In } from 'typeorm';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { isSuspended } from '@app/security/access/access.queries';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { isForeign } from './foreign-addresses';
import { MAIL_PRIORITIES, type MailReference } from './mail.types';
import {
  type MailCounts,
  type MailOutcome,
  MailSource,
  type MailWithVerdict,
  type ReadyMail,
  type UnreleasedMail,
  type WaitingMail,
} from './mail-source';
import { openedMail } from './outbox';
import { StoredMail } from './stored-mail.entity';

const IS_OVER = 'coalesce(m.expires_at <= now(), false)';
const IS_CLOSED = isSuspended('m.opens');

const UNRELEASED = `/* mails.unreleased */
  SELECT m.id, m.template, m.address, m.mail_key AS "mailKey", m.user_id AS "userId", m.brand_of AS "organisationId",
    NOT ${IS_OVER} AND ${IS_CLOSED} AS "isClosed", ${isForeign('m.address', '$1::integer')} AS "isForeign"
  FROM mails m
  WHERE m.customer_id = $1 AND m.queued_at IS NULL AND (m.waits_until IS NULL OR m.waits_until <= now())
  ORDER BY m.id LIMIT $2 FOR UPDATE OF m SKIP LOCKED`;

interface UnreleasedRow extends Pick<StoredMail, 'id' | 'template' | 'address' | 'mailKey' | 'userId'> {
  readonly organisationId: number;
  readonly isClosed: boolean;
  readonly isForeign: boolean;
}

const STORE_VERDICTS = `
  UPDATE mails m SET queued_at = CASE WHEN verdict.seconds IS NULL THEN now() END,
    waits_until = now() + make_interval(secs => verdict.seconds)
  FROM unnest($1::bigint[], $2::integer[]) verdict (id, seconds) WHERE m.id = verdict.id`;

const NEXT_TIME = `
  SELECT min(waits_until) AS time FROM mails WHERE customer_id = $1 AND queued_at IS NULL AND waits_until > now()`;

interface FoundMail extends Pick<
  StoredMail,
  | 'id'
  | 'messageId'
  | 'template'
  | 'address'
  | 'language'
  | 'texts'
  | 'encrypted'
  | 'origin'
  | 'brandOf'
  | 'outcomeOf'
  | 'outcomeOfId'
> {
  readonly isOver: boolean;
  readonly isClosed: boolean;
  readonly brandVersion: number;
}

const BY_ID = prepared<FoundMail>(`
  SELECT m.id, m.message_id AS "messageId", m.template, m.address, m.language, m.texts, m.encrypted, m.origin,
    m.brand_of AS "brandOf", brand_version() AS "brandVersion", m.outcome_of AS "outcomeOf", m.outcome_of_id AS "outcomeOfId",
    ${IS_OVER} AS "isOver", ${IS_CLOSED} AS "isClosed"
  FROM mails m WHERE m.id = $1`);

/** What its notifications are called in the counts: those mails stand in no notification. */
const RENAME = 'User.name_changed';

/** How the mail counts in an hour. Of notices of logins no number is held but that to foreign addresses. */
function countsOf({ template, userId, isForeign: isOfStranger }: UnreleasedRow): MailCounts {
  switch (template) {
    case 'invitation':
      return { as: 'post', isRedacted: false };
    case 'usernameChanged':
    case 'ownNameChanged':
    case 'unverifiedNotification':
      return {
        as: 'notification',
        kind: RENAME,
        ...(userId !== null && { userId }),
        isForeign: isOfStranger,
      };
    case 'newLogin':
    case 'newLoginWithLink':
      return { as: 'notification', isForeign: isOfStranger };
    default:
      return { as: 'free' };
  }
}

/**
 * Stores the outcome of mails that belong to a delivery. `libs/service/extensions.module.ts`
 * binds the implementation.
 */
export abstract class MailListener {
  abstract recordOutcome(
    manager: EntityManager,
    reference: MailReference,
    outcome: MailOutcome,
  ): Promise<void>;
}

/**
 * The mails of the `Outbox`. One that has expired is dropped, and one whose link leads to a suspended
 * organisation waits, because its reader would find a dead link.
 */
@Injectable()
export class StoredMails extends MailSource {
  readonly name = 'stored';

  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly keyring: SecretsKeyring,
    private readonly listener: MailListener,
    @Inject(APP_LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async unreleased(manager: EntityManager, customerId: number, most: number): Promise<UnreleasedMail[]> {
    const rows = await manager.query<UnreleasedRow[]>(UNRELEASED, [customerId, most]);
    return rows.map((row) => ({
      id: row.id,
      address: row.address,
      organisationId: row.organisationId,
      counts: countsOf(row),
      isClosed: row.isClosed,
      job: {
        priority: MAIL_PRIORITIES[row.template],
        ...(row.mailKey !== null && { key: row.mailKey }),
      },
    }));
  }

  /** One that is skipped goes. */
  async storeVerdicts(manager: EntityManager, mails: readonly MailWithVerdict[]): Promise<void> {
    const kept = mails.filter(({ outcome }) => outcome !== 'skipped');
    const seconds = kept.map((mail) => (mail.outcome === 'waits' ? mail.seconds : null));
    await manager.query(STORE_VERDICTS, [kept.map(({ id }) => id), seconds]);
    if (kept.length === mails.length) return;
    const skipped = mails.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id);
    await manager.delete(StoredMail, { id: In(skipped) });
  }

  async nextTime(manager: EntityManager, customerId: number): Promise<Date | undefined> {
    const [row] = await manager.query<{ time: Date | null }[]>(NEXT_TIME, [customerId]);
    return row?.time ?? undefined;
  }

  async find(id: number): Promise<WaitingMail | undefined> {
    const mail = await this.queries.row<FoundMail>(BY_ID, [id]);
    return (
      mail && {
        organisationId: mail.brandOf,
        brandVersion: mail.brandVersion,
        isClosed: mail.isClosed && !mail.isOver,
        write: () => this.write(mail),
        recordOutcome: (ctx, outcome) =>
          this.transactions.run(ctx, (manager) => this.recordOutcome(manager, mail, outcome)),
      }
    );
  }

  private write(mail: FoundMail): ReadyMail | undefined {
    const { id, template, language, origin, messageId } = mail;
    if (mail.isOver) {
      this.logger.warn({ mailId: id, template }, 'mail dropped: it has expired');
      return undefined;
    }
    return { ...openedMail(this.keyring, mail), language, origin, id: `${id}.${messageId}` };
  }

  /** A mail that was given up stays as long as its job does, for the operator. */
  private async recordOutcome(
    manager: EntityManager,
    { id, outcomeOf, outcomeOfId }: FoundMail,
    outcome: MailOutcome,
  ): Promise<void> {
    if (outcomeOf !== null && outcomeOfId !== null)
      await this.listener.recordOutcome(manager, { kind: outcomeOf, id: outcomeOfId }, outcome);
    if (outcome.status !== 'failed') await manager.delete(StoredMail, { id });
  }
}
