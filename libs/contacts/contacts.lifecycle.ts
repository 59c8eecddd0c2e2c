import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThanOrEqual } from 'typeorm';
import { UserRecords } from '@app/lifecycle/user-records';
import { CleanUp } from '@app/platform/jobs/clean-up';
import { ContactNotices } from './contact-notices';
import { Contact } from './contact.entity';
import { RECOVERY_STANDING } from './recovery-contacts';

@Injectable()
export class ContactsCleanUp extends CleanUp {
  readonly statements = [
    `DELETE FROM former_contacts WHERE removed_at < now() - interval '${RECOVERY_STANDING}'`,
  ];
}

@Injectable()
export class FormerContactRecords extends UserRecords {
  readonly table = 'former_contacts';
  readonly part = 'formerContacts';
  readonly about =
    'Addresses of contacts that were removed or changed in the last 72 hours: recovery mail still goes there.';
  protected readonly exported = `id, name, since, removed_at AS "removedAt"`;
}

@Injectable()
export class ContactRecords extends UserRecords {
  readonly table = 'contacts';
  readonly part = 'contacts';
  readonly about = 'Where the person is told of what happens, and of which kinds of news.';
  protected readonly exported = `id, type, name, groups, created_at AS "createdAt", address_changed_at AS "changedAt"`;

  override readonly withOrganisation = (manager: EntityManager, organisationId: number) =>
    manager.query(`DELETE FROM contacts WHERE organisation_id = $1`, [organisationId]);

  constructor(private readonly notices: ContactNotices) {
    super();
  }

  /** Notifies of each contact that goes. */
  protected override async deleteSince(manager: EntityManager, userId: number, since: Date): Promise<void> {
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
      await this.notices.record(manager, userId, { before });
    }
  }
}
