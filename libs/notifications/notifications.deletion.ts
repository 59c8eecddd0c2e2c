import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletionHandler, stays } from '@app/core/deletion/deletion-handler';

/** Deleted names and addresses leave empty texts; what waits to be delivered to them is skipped. */
const FORGET_RECIPIENTS = `
  UPDATE notification_recipients r SET full_name = '', value = '', message = '',
    status = CASE r.status WHEN 'queued' THEN 'skipped' ELSE r.status END
  WHERE r.user_id = ANY ($1::integer[])`;

/** Who is a user now was invited once, by the same address. */
const FORGET_INVITED = `
  UPDATE notification_recipients r SET full_name = '', value = '', message = '',
    status = CASE r.status WHEN 'queued' THEN 'skipped' ELSE r.status END
  FROM notifications n JOIN users u ON u.organisation_id = n.organisation_id
  WHERE u.id = ANY ($1::integer[]) AND n.entity_class = 'Invitation' AND r.notification_id = n.id
    AND r.kind = 'invited' AND lower(r.value) = lower(u.username)`;

const FORGET_SUBJECTS = `
  UPDATE notifications SET entity_name = ''
  WHERE about_user_id = ANY ($1::integer[]) AND entity_class IN ('User', 'Contact')`;

const FORGET_INVITATIONS = `
  UPDATE notifications n SET entity_name = '', params = n.params - 'email'
  FROM users u
  WHERE u.id = ANY ($1::integer[]) AND u.organisation_id = n.organisation_id AND n.entity_class = 'Invitation'
    AND lower(n.params ->> 'email') = lower(u.username)`;

/** What waits to be delivered is delivered to no deleted user, and to nobody of a deleted organisation. */
@Injectable()
export class NotificationDeletion extends DeletionHandler {
  readonly table = 'notifications';
  readonly position = 130;
  readonly withOrganisation = stays(
    'history, which nobody reads any more: every route asks for the organisation',
  );

  /** The notifications stay, as history of the organisation; names and addresses of the users leave them. */
  readonly withUsers = async (manager: EntityManager, userIds: readonly number[]): Promise<void> => {
    for (const statement of [FORGET_RECIPIENTS, FORGET_INVITED, FORGET_SUBJECTS, FORGET_INVITATIONS]) {
      await manager.query(statement, [userIds]);
    }
  };
}
