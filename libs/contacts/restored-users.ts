import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UserEventHandler, type UserEvent } from '@app/users/user-events';
import { ContactNotices } from './contact-notices';
import { Contact } from './contact.entity';

/** Contacts that came in since the name was changed that a user takes back go with that change. */
@Injectable()
export class ContactsOfRestoredUsers extends UserEventHandler {
  readonly position = 80;

  constructor(private readonly notices: ContactNotices) {
    super();
  }

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'nameRestored') return;
    const contacts = await manager
      .createQueryBuilder(Contact, 'contact')
      .where('contact.userId = :userId', { userId: event.userId })
      .andWhere('greatest(contact.createdAt, contact.addressChangedAt) >= :since', { since: event.since })
      .orderBy('contact.id')
      .setLock('pessimistic_write')
      .getMany();
    for (const before of contacts) {
      await manager.delete(Contact, { id: before.id });
      await this.notices.record(manager, event.userId, { before });
    }
  }
}
