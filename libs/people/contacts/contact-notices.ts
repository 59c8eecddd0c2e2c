import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import type { ExtraRecipient } from '@app/people/notifications/notification.types';
import type { Contact } from './contact.entity';

/** Full name and language of a contact's owner. */
const OWNER = `
  SELECT coalesce(u.first_name || ' ' || u.last_name, o.name) AS "fullName", coalesce(u.language, 'nl') AS language
  FROM organisations o LEFT JOIN users u ON u.id = $2 WHERE o.id = $1`;

/** The contact before and after a change. A new contact has no `before`, a deleted one no `after`. */
export interface ContactChange {
  readonly before?: Contact;
  readonly after?: Contact;
}

/** Notifies of changed contacts: they receive security news, so a thief would change them first. */
@Injectable()
export class ContactNotices {
  constructor(private readonly notifications: NotificationRecorder) {}

  /** Call it in the transaction of the change. Ignores another spelling of the same contact. Notifies the old one too. */
  async record(
    manager: EntityManager,
    actorId: number | null,
    { before, after }: ContactChange,
  ): Promise<void> {
    const contact = after ?? before;
    if (contact === undefined || before?.uniqueKey === after?.uniqueKey) return;
    const { id, organisationId, userId, name } = contact;
    await this.notifications.record(manager, {
      organisationId,
      group: 'System',
      type: before === undefined ? 'new' : after === undefined ? 'removed' : 'changed',
      entityClass: 'Contact',
      entityId: id,
      entityName: name,
      userId: actorId,
      ...(userId !== null && { aboutUserId: userId }),
      extraRecipients: before === undefined ? [] : await formerRecipient(manager, before),
    });
  }
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
