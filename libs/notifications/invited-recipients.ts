import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '@app/core/database/transactions';
import { MailFollower, type MailOutcome } from '@app/core/mail/mail-follower';
import type { ExtraRecipient } from './notification.types';

/** What the references of invitation mails begin with; the id of the invitation follows. */
export const INVITED_PREFIX = 'invited:';

/** The notification of the invitation $1 lists another person, unless the address is told already. */
const REPLACE = `
  UPDATE notification_recipients r
  SET value = $2, full_name = $3, language = $4, status = 'queued', message = '', contact_id = NULL
  FROM notifications n
  WHERE n.id = r.notification_id AND n.entity_class = 'Invitation' AND n.entity_id = $1 AND n.organisation_id = $5
    AND r.kind = 'invited'
    AND NOT EXISTS (SELECT 1 FROM notification_recipients other WHERE other.notification_id = n.id
      AND other.id <> r.id AND other.type = 'email' AND lower(other.value) = lower($2))`;

const SETTLE = `
  UPDATE notification_recipients r SET status = $2, message = $3
  FROM notifications n
  WHERE n.id = r.notification_id AND n.entity_class = 'Invitation' AND n.entity_id = $1
    AND r.kind = 'invited' AND r.status = 'queued'`;

/** The invited persons among the recipients: the mail of the invitation tells them, and its outcome is kept here. */
@Injectable()
export class InvitedRecipients extends MailFollower {
  readonly position = 10;

  constructor(private readonly transactions: Transactions) {
    super();
  }

  /** What the mail of an invitation carries, so that its outcome finds the recipient. */
  referenceOf(invitationId: number): string {
    return `${INVITED_PREFIX}${invitationId}`;
  }

  /** Another address is invited now. */
  async replace(
    manager: EntityManager,
    invitationId: number,
    organisationId: number,
    { value, fullName, language }: Omit<ExtraRecipient, 'kind'>,
  ): Promise<void> {
    await manager.query(REPLACE, [invitationId, value, fullName, language, organisationId]);
  }

  /** The mail is not sent any more. */
  async skip(manager: EntityManager, invitationId: number): Promise<void> {
    await manager.query(SETTLE, [invitationId, 'skipped', '']);
  }

  async follow(reference: string, { status, message }: MailOutcome): Promise<void> {
    if (!reference.startsWith(INVITED_PREFIX)) return;
    const invitationId = Number(reference.slice(INVITED_PREFIX.length));
    await this.transactions.run((manager) => manager.query(SETTLE, [invitationId, status, message]));
  }
}
