import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TableHandler } from '@app/lifecycle/table-rules';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { isAlarm } from './contact-recipients';
import { recipientContext } from './notification.types';

const SKIPPED = `CASE r.status WHEN 'queued' THEN 'skipped' ELSE r.status END`;

/** Clears the names and addresses of recipients, and skips their waiting deliveries. */
export const FORGET_RECIPIENT = `
  UPDATE notification_recipients r SET full_name = '', value = '', message = '', encrypted = NULL, status = ${SKIPPED}`;

/** Whom security notifications told until the act: the mail leaves, and the address waits encrypted. */
const WAITING_ALARMS = `
  SELECT r.id, r.value FROM notification_recipients r JOIN notifications n ON n.id = r.notification_id
  WHERE r.user_id = ANY ($1::integer[]) AND r.status = 'queued' AND r.value <> '' AND ${isAlarm('n')}
  FOR UPDATE OF r`;

const ENCRYPT = `
  UPDATE notification_recipients r SET encrypted = kept.encrypted
  FROM unnest($1::integer[], $2::text[]) kept (id, encrypted) WHERE r.id = kept.id`;

const FORGET_DELETED_USERS = `
  UPDATE notification_recipients r SET full_name = '', value = '', message = '',
    status = CASE WHEN r.encrypted IS NULL THEN ${SKIPPED} ELSE r.status END
  WHERE r.user_id = ANY ($1::integer[])`;

/** Notifications of the users' organisations about invitations to their verified user names. */
const INVITATIONS = `
  SELECT n.id FROM users u JOIN notifications n ON n.organisation_id = u.organisation_id
    AND fold_case(n.params ->> 'email') = fold_case(nullif(name_for_others(u), ''))
  WHERE u.id = ANY ($1::integer[]) AND n.entity_class = 'Invitation'`;

const FORGET_INVITED = `${FORGET_RECIPIENT}
  WHERE r.notification_id IN (${INVITATIONS}) AND r.kind = 'invited'`;

const FORGET_SUBJECTS = `
  UPDATE notifications SET entity_name = ''
  WHERE about_user_id = ANY ($1::integer[]) AND entity_class IN ('User', 'Contact')`;

const FORGET_INVITATIONS = `
  UPDATE notifications SET entity_name = '', params = params - 'email' WHERE id IN (${INVITATIONS})`;

const FORGET = [FORGET_DELETED_USERS, FORGET_INVITED, FORGET_SUBJECTS, FORGET_INVITATIONS];

/** The organisation keeps its notifications as its history, without names and addresses of deleted users. */
@Injectable()
export class NotificationDeletions implements TableHandler {
  constructor(private readonly keyring: SecretsKeyring) {}

  async withUsers(manager: EntityManager, userIds: readonly number[]): Promise<void> {
    await this.encryptAlarms(manager, userIds);
    for (const statement of FORGET) await manager.query(statement, [userIds]);
  }

  private async encryptAlarms(manager: EntityManager, userIds: readonly number[]): Promise<void> {
    const waiting = await manager.query<{ id: number; value: string }[]>(WAITING_ALARMS, [userIds]);
    if (waiting.length === 0) return;
    const encrypted = waiting.map(({ id, value }) => this.keyring.encrypt(value, recipientContext(id)));
    await manager.query(ENCRYPT, [waiting.map(({ id }) => id), encrypted]);
  }
}
