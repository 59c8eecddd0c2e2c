import { Controller, Delete, Get, Injectable, Post, Put } from '@nestjs/common';
import { PathOwner, type RecordOwner } from '@app/people/users/path-owner.decorator';
import { NoContent, RequestBody, RespondsWith, Tag } from '@app/platform/dto/wire.decorators';
import { ListQuery } from '@app/platform/lists/list-query.decorator';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { Access, Ctx, PathId, PathRecords } from '@app/security/access/access.decorators';
import type { Caller } from '@app/security/access/caller';
import type { ContactDetails, ContactOrder } from './contact.columns';
import type { ContactInput } from './contact.types';
import { ContactsService } from './contacts.service';
import { ContactsShapes } from './shapes/contacts.shapes';

/** The routes of the contacts that one kind of owner has. */
function contactRoutes(operations: 'contacts' | 'organisationContacts', owner: string, noteOfUpdate = '') {
  @Injectable()
  class ContactRoutes {
    constructor(private readonly contacts: ContactsService) {}

    @Post()
    @Access(`${operations}.create`, `Add a contact to ${owner}`)
    @RespondsWith(201, ContactsShapes, 'single')
    create(
      @Ctx() caller: Caller,
      @PathOwner() of: RecordOwner,
      @RequestBody(ContactsShapes, 'create') input: ContactInput,
    ): Promise<ContactDetails> {
      return this.contacts.create(caller, of, input);
    }

    @Get()
    @Access(`${operations}.list`, `List the contacts of ${owner}`)
    @RespondsWith(200, ContactsShapes, 'list')
    list(
      @PathOwner() of: RecordOwner,
      @ListQuery(ContactsShapes, 'list') request: ListRequest<ContactOrder>,
    ): Promise<Page<ContactDetails>> {
      return this.contacts.list(of, request);
    }

    @Get(':contactId')
    @Access(`${operations}.read`, `Read a contact of ${owner}`)
    @RespondsWith(200, ContactsShapes, 'single')
    read(@PathId('contactId') id: number): Promise<ContactDetails> {
      return this.contacts.read(id);
    }

    @Put(':contactId')
    @Access(`${operations}.update`, `Change a contact of ${owner}`, noteOfUpdate)
    @NoContent()
    update(
      @Ctx() caller: Caller,
      @PathId('contactId') id: number,
      @RequestBody(ContactsShapes, 'update') input: ContactInput,
    ): Promise<void> {
      return this.contacts.update(caller, id, input);
    }

    @Delete(':contactId')
    @Access(`${operations}.delete`, `Delete a contact of ${owner}`)
    @NoContent()
    delete(@Ctx() caller: Caller, @PathId('contactId') id: number): Promise<void> {
      return this.contacts.delete(caller, id);
    }
  }
  return ContactRoutes;
}

@Controller('organisations/:organisationId/users/:userId/contacts')
@PathRecords({
  contactId: { name: 'Contact', table: 'contacts', within: 'userId', tag: 'record.version' },
})
export class ContactsController extends contactRoutes(
  'contacts',
  'a user',
  'Without `preferences` the enabled groups stay as they are.',
) {}

/** The organisation's own contacts. */
@Tag('organisation contacts')
@Controller('organisations/:organisationId/contacts')
@PathRecords({
  contactId: {
    name: 'Contact',
    table: 'contacts',
    within: 'organisationId',
    condition: 'record.user_id IS NULL',
    tag: 'record.version',
  },
})
export class OrganisationContactsController extends contactRoutes(
  'organisationContacts',
  'an organisation',
) {}
