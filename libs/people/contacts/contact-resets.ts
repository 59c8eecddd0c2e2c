import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import type { UserEvent, UserEventHandler } from '@app/lifecycle/user-events';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { Contact } from './contact.entity';
import { notifyOfContact } from './contact-notifications';

/**
 * A reset that gives the former name back deletes the contacts that were added, or got another address, since
 * some days before it was changed (rule recovery 27). Notifies of each deletion.
 */
@Injectable()
export class ContactResets implements UserEventHandler {
  constructor(private readonly notifications: NotificationRecorder) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'passwordReset' || event.untrustedSince === undefined) return;
    const { userId, untrustedSince: since } = event;
    const contacts = await manager.find(Contact, {
      where: [
        { userId, createdAt: MoreThanOrEqual(since) },
        { userId, addressChangedAt: MoreThanOrEqual(since) },
      ],
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    for (const before of contacts) {
      await manager.delete(Contact, { id: before.id });
      await notifyOfContact(this.notifications, manager, userId, { before });
    }
  }
}
