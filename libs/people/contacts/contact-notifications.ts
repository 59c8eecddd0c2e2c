import type { EntityManager } from 'typeorm';
import type { ExtraRecipient } from '@app/people/notifications/notification.types';
import type { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import type { Contact } from './contact.entity';
import { CONTACT_NOTIFICATIONS } from './contacts.notifications';

/** Full name and language of a contact's owner. */
const OWNER = `
  SELECT coalesce(u.first_name || ' ' || u.last_name, o.name) AS "fullName", coalesce(u.language, 'nl') AS language
  FROM organisations o LEFT JOIN users u ON u.id = $2 WHERE o.id = $1`;

/** A contact as its notifications need it. */
export type StoredContact = Pick<
  Contact,
  'id' | 'organisationId' | 'userId' | 'type' | 'name' | 'uniqueKey' | 'groups'
>;

/**
 * The contact before and after a change. `before` is undefined for a new contact, `after` for a deleted one.
 */
export interface ContactChange {
  readonly before?: StoredContact;
  readonly after?: StoredContact;
}

/**
 * Notifies of a changed contact, in the transaction of the change. Contacts receive security notifications,
 * so a thief would change them first. The addresses that come or go are told too: one that gets or loses the
 * group System, and one that is no contact any more. A new spelling of the same contact is no change.
 */
export async function notifyOfContact(
  notifications: NotificationRecorder,
  manager: EntityManager,
  actorId: number | null,
  change: ContactChange,
): Promise<void> {
  const type = typeOf(change);
  if (type === undefined) return;
  const { before, after } = change;
  const isOff = type === 'security_news_off' || type === 'removed';
  const contact = (isOff ? before : after) as StoredContact;
  const { id, organisationId, userId, name } = contact;
  const notified = [
    ...(before !== undefined && (isOff || isMoved(change)) ? [before] : []),
    ...(after !== undefined && hasSecurityGroup(after) ? [after] : []),
  ];
  await notifications.record(manager, CONTACT_NOTIFICATIONS[type], {
    organisationId,
    entity: { id, name },
    userId: actorId,
    aboutUserId: userId,
    extraRecipients: await recipientsOf(manager, contact, notified),
  });
}

type ContactNotificationType = keyof typeof CONTACT_NOTIFICATIONS;

/** What happened to the contact. Undefined if nobody needs to know. */
function typeOf(change: ContactChange): ContactNotificationType | undefined {
  const { before, after } = change;
  if (before === undefined) return 'new';
  if (after === undefined) return 'removed';
  if (gainsSecurityGroup(change)) return 'security_news_on';
  if (hasSecurityGroup(before) && !hasSecurityGroup(after)) return 'security_news_off';
  return isMoved(change) ? 'changed' : undefined;
}

const hasSecurityGroup = (contact: StoredContact | undefined): boolean =>
  contact?.groups.includes('System') === true;

const gainsSecurityGroup = ({ before, after }: ContactChange): boolean =>
  hasSecurityGroup(after) && !hasSecurityGroup(before);

/** Whether the contact has another address. */
const isMoved = ({ before, after }: ContactChange): boolean => before?.uniqueKey !== after?.uniqueKey;

/** The e-mail addresses of a contact before and after the change, which have one owner. */
async function recipientsOf(
  manager: EntityManager,
  { organisationId, userId }: StoredContact,
  notified: readonly StoredContact[],
): Promise<ExtraRecipient[]> {
  const addresses = notified.filter(({ type }) => type === 'email').map(({ name }) => name);
  if (addresses.length === 0) return [];
  const [owner] = await manager.query<Omit<ExtraRecipient, 'kind' | 'value'>[]>(OWNER, [
    organisationId,
    userId,
  ]);
  return owner === undefined ? [] : addresses.map((value) => ({ kind: 'removed', value, ...owner }));
}
