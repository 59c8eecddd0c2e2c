import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { APP_LOGGER } from '@app/platform/observability/logger';
import { isSuspended } from '@app/security/access/access.queries';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { MAIL_PRIORITIES, type MailReference } from './mail.types';
import type { MailPot } from './mail-budget';
import { queueMail } from './mail-jobs';
import {
  type MailOutcome,
  MailSource,
  type ReadyMail,
  type ReleasedMails,
  type WaitingMail,
} from './mail-source';
import { openedMail } from './outbox';
import type { StoredMail } from './stored-mail.entity';

const HELD = `
  SELECT id FROM mails WHERE charged_to = $1 AND pot = $2 AND queued_at IS NULL
  ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED`;

const IS_OVER = 'coalesce(m.expires_at <= now(), false)';
const IS_HELD = isSuspended('m.opens');

const RELEASE = `
  UPDATE mails m SET queued_at = now() WHERE id = ANY ($1::integer[]) AND (${IS_OVER} OR NOT ${IS_HELD})
  RETURNING id, template, mail_key AS "mailKey"`;

interface FoundMail extends Pick<
  StoredMail,
  | 'id'
  | 'messageId'
  | 'template'
  | 'address'
  | 'language'
  | 'texts'
  | 'sealed'
  | 'origin'
  | 'brandOf'
  | 'settles'
  | 'settlesId'
  | 'endsNews'
> {
  readonly isOver: boolean;
  readonly isHeld: boolean;
  readonly brandVersion: number;
}

const BY_ID = prepared<FoundMail>(`
  SELECT m.id, m.message_id AS "messageId", m.template, m.address, m.language, m.texts, m.sealed, m.origin,
    m.brand_of AS "brandOf", brand_version() AS "brandVersion", m.settles, m.settles_id AS "settlesId", m.ends_news AS "endsNews",
    ${IS_OVER} AS "isOver", ${IS_HELD} AS "isHeld"
  FROM mails m WHERE m.id = $1`);

/**
 * Stores the outcome of mails that belong to a delivery. `libs/service/extensions.module.ts`
 * binds the implementation.
 */
export abstract class MailListener {
  abstract settle(manager: EntityManager, reference: MailReference, outcome: MailOutcome): Promise<void>;
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

  async held(manager: EntityManager, organisationId: number, pot: MailPot, most: number): Promise<number[]> {
    const rows = await manager.query<{ id: number }[]>(HELD, [organisationId, pot, most]);
    return rows.map(({ id }) => id);
  }

  async release(
    manager: EntityManager,
    _organisationId: number,
    ids: readonly number[],
  ): Promise<ReleasedMails> {
    if (ids.length === 0) return { queued: 0, held: 0 };
    const [rows] = await manager.query<[Pick<StoredMail, 'id' | 'template' | 'mailKey'>[], number]>(RELEASE, [
      ids,
    ]);
    for (const { id, template, mailKey } of rows.sort((one, other) => one.id - other.id)) {
      const priority = MAIL_PRIORITIES[template];
      await queueMail(
        manager,
        { source: this.name, id },
        { priority, ...(mailKey !== null && { key: mailKey }) },
      );
    }
    return { queued: rows.length, held: ids.length - rows.length };
  }

  async find(id: number): Promise<WaitingMail | undefined> {
    const mail = await this.queries.row<FoundMail>(BY_ID, [id]);
    return (
      mail && {
        organisationId: mail.brandOf,
        brandVersion: mail.brandVersion,
        isHeld: mail.isHeld && !mail.isOver,
        write: () => this.write(mail),
        settle: (ctx, outcome) =>
          this.transactions.run(ctx, (manager) => this.settle(manager, mail, outcome)),
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
  private async settle(
    manager: EntityManager,
    { id, settles, settlesId }: FoundMail,
    outcome: MailOutcome,
  ): Promise<void> {
    if (settles !== null && settlesId !== null)
      await this.listener.settle(manager, { kind: settles, id: settlesId }, outcome);
    if (outcome.status !== 'failed') await manager.query('DELETE FROM mails WHERE id = $1', [id]);
  }
}
