import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PathId, PathRecords } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, AnswersNothing, Input, ListQuery } from '@app/core/wire/declarations';
import type { ContactDetails, ContactInput, ContactOrder } from './contact.values';
import { ContactsService } from './contacts.service';
import { ContactsShapes } from './shapes/contacts.shapes';

@ApiTags('contacts')
@Controller('organisations/:organisationId/users/:userId/contacts')
@PathRecords({ contactId: { table: 'contacts', owner: 'user_id', within: 'user' } })
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @Access('contacts.create')
  @Answers(201, ContactsShapes, 'single')
  create(
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @Input(ContactsShapes, 'creation') input: ContactInput,
  ): Promise<ContactDetails> {
    return this.contacts.create({ organisationId, userId }, input);
  }

  @Get()
  @Access('contacts.list')
  @Answers(200, ContactsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ListQuery(ContactsShapes, 'list') request: ListRequest<ContactOrder>,
  ): Promise<Page<ContactDetails>> {
    return this.contacts.list({ organisationId, userId }, request);
  }

  @Get(':contactId')
  @Access('contacts.read')
  @Answers(200, ContactsShapes, 'single')
  read(@PathId('contactId') id: number): Promise<ContactDetails> {
    return this.contacts.read(id);
  }

  @Put(':contactId')
  @Access('contacts.update')
  @AnswersNothing()
  update(
    @PathId('contactId') id: number,
    @Input(ContactsShapes, 'change') input: ContactInput,
  ): Promise<void> {
    return this.contacts.update(id, input);
  }

  @Delete(':contactId')
  @Access('contacts.delete')
  @AnswersNothing()
  delete(@PathId('contactId') id: number): Promise<void> {
    return this.contacts.delete(id);
  }
}
