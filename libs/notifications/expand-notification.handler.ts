import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/core/database/transactions';
import { JobHandler } from '@app/core/jobs/job-handler';
import { EXPAND_NOTIFICATION } from './notification-jobs';
import { NotificationRelease } from './notification-release';

/** Taken once: a second run finds nothing left to do. */
const BEGIN = `
  WITH begun AS (
    UPDATE notifications SET is_expanded = true WHERE id = $1 AND NOT is_expanded RETURNING organisation_id
  ) SELECT organisation_id AS "organisationId" FROM begun`;

/**
 * One recipient for each address among the contacts that enabled the group: all of the organisation and its users
 * ($2), or those of the organisation and of its CUSTADMINs. An address that is told anyway becomes a contact.
 */
const TELL_CONTACTS = `
  INSERT INTO notification_recipients (notification_id, contact_id, user_id, full_name, language, type, value, status,
    hash)
  SELECT DISTINCT ON (c.type, lower(c.name)) n.id, c.id, c.user_id,
    CASE WHEN u.id IS NULL THEN o.name ELSE u.first_name || ' ' || u.last_name END, coalesce(u.language, 'nl'),
    c.type, c.name, CASE c.type WHEN 'email' THEN 'queued' ELSE 'skipped' END, gen_random_uuid()
  FROM notifications n
  JOIN organisations o ON o.id = n.organisation_id
  JOIN contacts c ON c.organisation_id = n.organisation_id AND n.notification_group = ANY (c.groups)
  LEFT JOIN users u ON u.id = c.user_id
  WHERE n.id = $1 AND (c.user_id IS NULL
    OR (u.enabled AND u.deleted_at IS NULL AND ($2::boolean OR 'ROLE_CUSTADMIN' = ANY (u.roles))))
  ORDER BY c.type, lower(c.name), c.user_id NULLS LAST, c.id
  ON CONFLICT (notification_id, type, lower(value)) WHERE value <> '' DO UPDATE
    SET contact_id = coalesce(notification_recipients.contact_id, EXCLUDED.contact_id)`;

/** Writes the recipients of a notification, and releases their mails as far as the organisation's budget goes. */
@Injectable()
export class ExpandNotificationHandler extends JobHandler {
  readonly task = EXPAND_NOTIFICATION;

  constructor(
    private readonly transactions: Transactions,
    private readonly releases: NotificationRelease,
  ) {
    super();
  }

  async run(payload: unknown): Promise<void> {
    const { notificationId, everyContact } = payload as { notificationId: number; everyContact: boolean };
    await this.transactions.run(async (manager) => {
      const [begun] = await manager.query<{ organisationId: number }[]>(BEGIN, [notificationId]);
      if (begun === undefined) return;
      await manager.query(TELL_CONTACTS, [notificationId, everyContact]);
      // With nobody to wait for it is over at once; recipients that are skipped say so themselves.
      await manager.query('SELECT settle_notification($1)', [notificationId]);
      await this.releases.release(manager, begun.organisationId);
    });
  }
}
