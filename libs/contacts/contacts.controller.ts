import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, CurrentCaller, PathId, PathRecords } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, NoContent, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import type { ContactDetails, ContactInput, ContactOrder } from './contact.types';
import { ContactsService } from './contacts.service';
import { ContactsShapes } from './shapes/contacts.shapes';

@ApiTags('contacts')
@Controller('organisations/:organisationId/users/:userId/contacts')
@PathRecords({ contactId: { name: 'Contact', table: 'contacts', owner: 'user_id', within: 'user' } })
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @Access('contacts.create')
  @RespondsWith(201, ContactsShapes, 'single')
  create(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(ContactsShapes, 'create') input: ContactInput,
  ): Promise<ContactDetails> {
    return this.contacts.create(caller, { organisationId, userId }, input);
  }

  @Get()
  @Access('contacts.list')
  @RespondsWith(200, ContactsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ListQuery(ContactsShapes, 'list') request: ListRequest<ContactOrder>,
  ): Promise<Page<ContactDetails>> {
    return this.contacts.list({ organisationId, userId }, request);
  }

  @Get(':contactId')
  @Access('contacts.read')
  @RespondsWith(200, ContactsShapes, 'single')
  read(@PathId('contactId') id: number): Promise<ContactDetails> {
    return this.contacts.read(id);
  }

  @Put(':contactId')
  @Access('contacts.update')
  @NoContent()
  update(
    @CurrentCaller() caller: Caller,
    @PathId('contactId') id: number,
    @RequestBody(ContactsShapes, 'update') input: ContactInput,
  ): Promise<void> {
    return this.contacts.update(caller, id, input);
  }

  @Delete(':contactId')
  @Access('contacts.delete')
  @NoContent()
  delete(@CurrentCaller() caller: Caller, @PathId('contactId') id: number): Promise<void> {
    return this.contacts.delete(caller, id);
  }
}
