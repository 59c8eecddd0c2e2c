import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import type { ContactDetails, ContactInput, ContactOrder } from '../contact.values';
import { ContactsService } from '../contacts.service';
import { ContactsShapes } from '../shapes/contacts.shapes';

/** The organisation's own contacts, which only Variant B has. */
@ApiTags('organisation contacts')
@Controller('organisations/:organisationId/contacts')
@PathRecords({
  contactId: {
    table: 'contacts',
    owner: 'organisation_id',
    within: 'organisation',
    condition: 'record.user_id IS NULL',
  },
})
export class OrganisationContactsControllerB {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @Access('organisationContacts.create')
  @Answers(201, ContactsShapes, 'single')
  create(
    @PathId('organisationId') organisationId: number,
    @Input(ContactsShapes, 'creation') input: ContactInput,
  ): Promise<ContactDetails> {
    return this.contacts.create({ organisationId, userId: null }, input);
  }

  @Get()
  @Access('organisationContacts.list')
  @Answers(200, ContactsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(ContactsShapes, 'list') request: ListRequest<ContactOrder>,
  ): Promise<Page<ContactDetails>> {
    return this.contacts.list({ organisationId, userId: null }, request);
  }

  @Get(':contactId')
  @Access('organisationContacts.read')
  @Answers(200, ContactsShapes, 'single')
  read(@PathId('contactId') id: number): Promise<ContactDetails> {
    return this.contacts.read(id);
  }

  @Put(':contactId')
  @Access('organisationContacts.update')
  @AnswersNothing()
  update(
    @PathId('contactId') id: number,
    @Input(ContactsShapes, 'change') input: ContactInput,
  ): Promise<void> {
    return this.contacts.update(id, input);
  }

  @Delete(':contactId')
  @Access('organisationContacts.delete')
  @AnswersNothing()
  delete(@PathId('contactId') id: number): Promise<void> {
    return this.contacts.delete(id);
  }
}
