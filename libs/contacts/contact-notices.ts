import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import type { ExtraRecipient } from '@app/notifications/notification.types';
import type { Contact } from './contact.entity';

/** How the owner of a contact is addressed. */
const OWNER = `
  SELECT coalesce(u.first_name || ' ' || u.last_name, o.name) AS "fullName", coalesce(u.language, 'nl') AS language
  FROM organisations o LEFT JOIN users u ON u.id = $2 WHERE o.id = $1`;

/** What the contact was before and is now; one of the two is absent where it comes or goes. */
export interface ContactChange {
  readonly before?: Contact;
  readonly after?: Contact;
}

/** Tells of contacts that come or go: they are where security news goes to, so a thief would change them first. */
@Injectable()
export class ContactNotices {
  constructor(private readonly notifications: NotificationRecorder) {}

  /** In the transaction of the change; another spelling of the same address is none. The address that went is told too. */
  async record(manager: EntityManager, actorId: number, { before, after }: ContactChange): Promise<void> {
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
      extraRecipients: before === undefined ? [] : await goneRecipient(manager, before),
    });
  }
}

async function goneRecipient(
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
