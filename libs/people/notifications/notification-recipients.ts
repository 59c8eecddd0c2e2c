import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MailReference } from '@app/mail/mail.types';
import type { MailOutcome } from '@app/mail/mail-source';
import { MailListener } from '@app/mail/stored-mails';
import type { ExtraRecipient } from './notification.types';

/** Replaces the recipient of the invitation $1, unless the notification has the address already. */
const REPLACE = `
  UPDATE notification_recipients r
  SET value = $2, full_name = $3, language = $4, status = 'queued', message = '', contact_id = NULL
  FROM notifications n
  WHERE n.id = r.notification_id AND n.entity_class = 'Invitation' AND n.entity_id = $1 AND n.organisation_id = $5
    AND r.kind = 'invited'
    AND NOT EXISTS (SELECT 1 FROM notification_recipients other WHERE other.notification_id = n.id
      AND other.id <> r.id AND other.type = 'email' AND fold_case(other.value) = fold_case($2))`;

const RECORD_OUTCOME = `
  UPDATE notification_recipients SET status = $2, message = $3, encrypted = NULL WHERE id = $1 AND status = 'queued'`;

const RECORD_OUTCOME_OF_INVITED = `
  UPDATE notification_recipients r SET status = $2, message = $3
  FROM notifications n
  WHERE n.id = r.notification_id AND n.entity_class = 'Invitation' AND n.entity_id = ANY ($1::integer[])
    AND r.kind = 'invited' AND r.status = 'queued'`;

/**
 * Updates recipients. The invitation's own mail also notifies the invited person, so its outcome becomes the
 * status of that recipient. A trigger updates the notification.
 */
@Injectable()
export class NotificationRecipients extends MailListener {
  async replaceInvited(
    manager: EntityManager,
    invitationId: number,
    organisationId: number,
    { value, fullName, language }: Omit<ExtraRecipient, 'kind'>,
  ): Promise<void> {
    await manager.query(REPLACE, [invitationId, value, fullName, language, organisationId]);
  }

  /** Marks the recipients of withdrawn invitations as skipped: their mails are not sent. */
  async skipInvited(manager: EntityManager, invitationIds: readonly number[]): Promise<void> {
    await manager.query(RECORD_OUTCOME_OF_INVITED, [invitationIds, 'skipped', '']);
  }

  async recordOutcome(
    manager: EntityManager,
    { kind, id }: MailReference,
    { status, message }: MailOutcome,
  ): Promise<void> {
    const [statement, settled] =
      kind === 'invitation' ? [RECORD_OUTCOME_OF_INVITED, [id]] : [RECORD_OUTCOME, id];
    await manager.query(statement, [settled, status, message]);
  }
}
