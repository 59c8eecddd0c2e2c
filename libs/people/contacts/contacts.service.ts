import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { fieldError, found, ValidationFailed } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import type { RecordOwner } from '../users/path-owner.decorator';
import { canonicalContact } from './address-rules';
import { assertMayChangeGroups } from './alarm-contacts';
import { CONTACT_BY_ID, type ContactDetails, type ContactOrder, contactPage } from './contact.columns';
import { Contact } from './contact.entity';
import type { ContactInput } from './contact.types';
import { notifyOfContact, type StoredContact } from './contact-notifications';
import {
  assertMayAddContact,
  assertMayChangeContacts,
  isMailedByContacts,
  keepForRecovery,
} from './recovery-contacts';

/** Contacts of users and of organisations. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
  ) {}

  list(owner: RecordOwner, request: ListRequest<ContactOrder>): Promise<Page<ContactDetails>> {
    return this.paginator.page(request, contactPage(owner, request));
  }

  async read(id: number): Promise<ContactDetails> {
    return found(await this.queries.row<ContactDetails>(CONTACT_BY_ID, [id]), 'Contact');
  }

  async create(
    caller: Caller,
    owner: RecordOwner,
    { groups = [], ...input }: ContactInput,
  ): Promise<ContactDetails> {
    assertMayChangeGroups(caller, groups);
    const columns = nameColumns(input);
    return this.transactions.run(caller, async (manager) => {
      await lockOwner(manager, owner);
      await assertMayAddContact(manager, caller, owner.userId);
      const made = { ...owner, ...input, ...columns, groups };
      const after = await manager.save(Contact, made);
      await notifyOfContact(this.notifications, manager, caller.actorId, { after });
      return found(await rowIn<ContactDetails>(manager, CONTACT_BY_ID, [after.id]), 'Contact');
    });
  }

  async update(caller: Caller, id: number, { groups, ...input }: ContactInput): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      const { isMailed, ...before } = await lockContact(manager, id);
      assertMayChangeContacts(caller, isMailed);
      assertMayChangeGroups(caller, before.groups, groups ?? []);
      if (before.type !== input.type) {
        throw ValidationFailed.on(
          'type',
          fieldError('NOT_CHANGEABLE', 'The type of a contact cannot be changed.'),
        );
      }
      const columns = nameColumns(input);
      const isOtherAddress = columns.uniqueKey !== before.uniqueKey;
      if (isOtherAddress && isMailed) await keepForRecovery(manager, id);
      await manager.update(Contact, { id }, { ...input, ...columns, groups });
      await notifyOfContact(this.notifications, manager, caller.actorId, {
        before,
        after: { ...before, ...columns, groups: groups ?? before.groups },
      });
    });
  }

  async delete(caller: Caller, id: number): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      const { isMailed, ...before } = await lockContact(manager, id);
      assertMayChangeContacts(caller, isMailed);
      assertMayChangeGroups(caller, before.groups);
      if (isMailed) await keepForRecovery(manager, id);
      await manager.delete(Contact, { id });
      await notifyOfContact(this.notifications, manager, caller.actorId, { before });
    });
  }
}

const LOCK = `
  SELECT c.id, c.organisation_id AS "organisationId", c.user_id AS "userId", c.type, c.name, c.unique_key AS "uniqueKey",
    c.groups, ${isMailedByContacts('c.user_id')} AS "isMailed"
  FROM contacts c WHERE c.id = $1 FOR UPDATE OF c`;

/** Locks the contact, so that the second of two concurrent changes sees the result of the first. */
async function lockContact(
  manager: EntityManager,
  id: number,
): Promise<StoredContact & { readonly isMailed: boolean }> {
  const [contact] = await manager.query<(StoredContact & { readonly isMailed: boolean })[]>(LOCK, [id]);
  return found(contact, 'Contact');
}

/** The stored columns of a contact's name. Throws 400 if the name does not fit the type. */
function nameColumns({ type, name }: Omit<ContactInput, 'groups'>): Pick<Contact, 'name' | 'uniqueKey'> {
  const contact = canonicalContact(type, name);
  if (contact.error) throw ValidationFailed.on('name', contact.error);
  return { name: contact.canonical, uniqueKey: contact.uniqueKey };
}
