import type { EntityManager } from 'typeorm';
import type { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import type { ExtraRecipient } from '@app/people/notifications/notification.types';
import type { Contact } from './contact.entity';

/** Full name and language of a contact's owner. */
const OWNER = `
  SELECT coalesce(u.first_name || ' ' || u.last_name, o.name) AS "fullName", coalesce(u.language, 'nl') AS language
  FROM organisations o LEFT JOIN users u ON u.id = $2 WHERE o.id = $1`;

/** The contact before and after a change. `before` is undefined for a new contact, `after` for a deleted one. */
export interface ContactChange {
  readonly before?: Contact;
  readonly after?: Contact;
}

/**
 * Notifies of a changed contact, in the transaction of the change. Contacts receive security news, so a thief would change them
 * first; the old address is notified too. A new spelling of the same contact is no change.
 */
export async function notifyOfContact(
  notifications: NotificationRecorder,
  manager: EntityManager,
  actorId: number | null,
  { before, after }: ContactChange,
): Promise<void> {
  const contact = after ?? before;
  if (contact === undefined || before?.uniqueKey === after?.uniqueKey) return;
  const { id, organisationId, userId, name } = contact;
  await notifications.record(manager, {
    organisationId,
    type: before === undefined ? 'new' : after === undefined ? 'removed' : 'changed',
    entity: { class: 'Contact', id, name },
    userId: actorId,
    aboutUserId: userId,
    extraRecipients: before === undefined ? [] : await formerRecipient(manager, before),
  });
}

async function formerRecipient(
  manager: EntityManager,
  { type, organisationId, userId, name }: Contact,
): Promise<ExtraRecipient[]> {
  if (type !== 'email') return [];
  const [owner] = await manager.query<Omit<ExtraRecipient, 'kind' | 'value'>[]>(OWNER, [
    organisationId,
    userId,
  ]);
  return owner === undefined ? [] : [{ kind: 'gone', value: name, ...owner }];
}
