import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { assertCredentialStands } from '@app/access/held-credential';
import type { Caller } from '@app/core/access/caller';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault } from '@app/core/errors/fault';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from '@app/organisations/organisation.entity';
import { User } from '@app/users/user.entity';
import { contactAddress } from './address-rules';
import { ContactNotices } from './contact-notices';
import { Contact } from './contact.entity';
import { CONTACT_BY_ID, contactPage } from './contact.queries';
import type { ContactDetails, ContactInput, ContactOrder, ContactOwner } from './contact.types';

/** The rules of contacts, the same for those of a user and those of an organisation. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notices: ContactNotices,
  ) {}

  list(owner: ContactOwner, request: ListRequest<ContactOrder>): Promise<Page<ContactDetails>> {
    return this.paginator.page(request, contactPage(owner, request));
  }

  async read(id: number): Promise<ContactDetails> {
    const contact = await this.queries.quickRow<ContactDetails>(CONTACT_BY_ID, [id]);
    if (contact === undefined) throw new NotFound('Contact');
    return contact;
  }

  async create(
    caller: Caller,
    owner: ContactOwner,
    { groups = [], ...input }: ContactInput,
  ): Promise<ContactDetails> {
    const columns = addressColumns(input);
    const id = await this.transactions.run(async (manager) => {
      await assertOwnerExists(manager, owner);
      await assertCredentialStands(manager, caller.credential);
      const created = await insertReturningId(manager, Contact, {
        ...owner,
        ...columns,
        type: input.type,
        groups,
      });
      const after = await manager.findOneByOrFail(Contact, { id: created });
      await this.notices.record(manager, caller.userId, { after });
      return created;
    });
    return this.read(id);
  }

  async update(caller: Caller, id: number, { groups, ...input }: ContactInput): Promise<void> {
    await this.transactions.run(async (manager) => {
      await assertCredentialStands(manager, caller.credential);
      const before = await lockContact(manager, id);
      if (before.type !== input.type) {
        throw ValidationFailed.on(
          'type',
          fault('NOT_CHANGEABLE', 'The type of a contact can not be changed.'),
        );
      }
      const address = addressColumns(input);
      await manager.update(Contact, { id }, { ...address, groups });
      await this.notices.record(manager, caller.userId, { before, after: { ...before, ...address } });
    });
  }

  async delete(caller: Caller, id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const before = await lockContact(manager, id);
      await manager.delete(Contact, { id });
      await this.notices.record(manager, caller.userId, { before });
    });
  }
}

/** Of two changes at once the second sees what the first has made of the contact. */
async function lockContact(manager: EntityManager, id: number): Promise<Contact> {
  const contact = await manager.findOne(Contact, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (contact === null) throw new NotFound('Contact');
  return contact;
}

/** What is stored of an address; refuses one that is none of its type. */
function addressColumns({ type, name }: ContactInput): Pick<Contact, 'name' | 'uniqueKey'> {
  const address = contactAddress(type, name);
  if ('error' in address) throw ValidationFailed.on('name', address.error);
  return { name: address.canonical, uniqueKey: address.uniqueKey };
}

/**
 * A deletion takes the owner's contacts along: it must not run between the guard's look at the owner and the
 * new row. The lock makes one of the two wait for the other.
 */
async function assertOwnerExists(manager: EntityManager, owner: ContactOwner): Promise<void> {
  const lock = { mode: 'pessimistic_read' } as const;
  const found =
    owner.userId === null
      ? await manager.findOne(Organisation, {
          select: { id: true },
          where: { id: owner.organisationId, deletedAt: IsNull() },
          lock,
        })
      : await manager.findOne(User, {
          select: { id: true },
          where: { id: owner.userId, deletedAt: IsNull() },
          lock,
        });
  if (found === null) throw new NotFound(owner.userId === null ? 'Organisation' : 'User');
}
