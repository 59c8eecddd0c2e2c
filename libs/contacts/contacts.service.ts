import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { Lists } from '@app/core/paging/lists';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from '@app/organisations/organisation.entity';
import { User } from '@app/users/user.entity';
import { contactAddress } from './address-rules';
import { Contact } from './contact.entity';
import { CONTACT_BY_ID, contactPage } from './contact.queries';
import type { ContactDetails, ContactInput, ContactOrder, ContactOwner } from './contact.values';
import './contacts.errors';

/** The rules of contacts, the same for those of a user and those of an organisation. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly sql: Sql,
    private readonly lists: Lists,
    private readonly transactions: Transactions,
  ) {}

  list(owner: ContactOwner, request: ListRequest<ContactOrder>): Promise<Page<ContactDetails>> {
    return this.lists.page(request, contactPage(owner, request));
  }

  async read(id: number): Promise<ContactDetails> {
    const contact = await this.sql.row<ContactDetails>(CONTACT_BY_ID, [id]);
    if (contact === undefined) throw new NotFound('Contact');
    return contact;
  }

  async create(owner: ContactOwner, { groups = [], ...input }: ContactInput): Promise<ContactDetails> {
    const columns = addressColumns(input);
    const id = await this.transactions.run(async (manager) => {
      await refuseDeletedOwner(manager, owner);
      const { identifiers } = await manager.insert(Contact, {
        ...owner,
        ...columns,
        type: input.type,
        groups,
      });
      return (identifiers[0] as { id: number }).id;
    });
    return this.read(id);
  }

  async update(id: number, { groups, ...input }: ContactInput): Promise<void> {
    await this.transactions.run(async (manager) => {
      const contact = await manager.findOneBy(Contact, { id });
      if (contact === null) throw new NotFound('Contact');
      if (contact.type !== input.type) {
        throw ValidationFailed.on('type', 'The type of a contact can not be changed.');
      }
      const { affected } = await manager.update(Contact, { id }, { ...addressColumns(input), groups });
      if (affected === 0) throw new NotFound('Contact');
    });
  }

  async delete(id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.delete(Contact, { id });
      if (affected === 0) throw new NotFound('Contact');
    });
  }
}

/** What is stored of an address; refuses one that is none of its type. */
function addressColumns({ type, name }: ContactInput): Pick<Contact, 'name' | 'uniqueKey'> {
  const address = contactAddress(type, name);
  if ('fault' in address) throw ValidationFailed.on('name', address.fault);
  return { name: address.canonical, uniqueKey: address.uniqueKey };
}

/**
 * A deletion takes the owner's contacts along: it must not run between the guard's look at the owner and the
 * new row. The lock makes one of the two wait for the other.
 */
async function refuseDeletedOwner(manager: EntityManager, owner: ContactOwner): Promise<void> {
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
