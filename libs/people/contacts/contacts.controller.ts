import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import {
  Access,
  type Caller,
  Ctx,
  PathId,
  PathRecords,
  Versioned,
} from '@app/security/access/access.decorators';
import type { ListRequest, Page } from '@app/platform/lists/paginator';
import { NoContent, RequestBody, RespondsWith } from '@app/platform/dto/wire.decorators';
import type { ContactInput } from './contact.types';
import type { ContactDetails, ContactOrder } from './contact.columns';
import { ContactsService } from './contacts.service';
import { ContactsShapes } from './shapes/contacts.shapes';
import { ListQuery } from '@app/platform/lists/list-query.decorator';

@Controller('organisations/:organisationId/users/:userId/contacts')
@PathRecords({ contactId: { name: 'Contact', table: 'contacts', owner: 'user_id', within: 'user' } })
@Versioned({ table: 'contacts', parameter: 'contactId' })
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @Access('contacts.create', 'Add a contact to a user')
  @RespondsWith(201, ContactsShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @RequestBody(ContactsShapes, 'create') input: ContactInput,
  ): Promise<ContactDetails> {
    return this.contacts.create(caller, { organisationId, userId }, input);
  }

  @Get()
  @Access('contacts.list', 'List the contacts of a user')
  @RespondsWith(200, ContactsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @PathId('userId') userId: number,
    @ListQuery(ContactsShapes, 'list') request: ListRequest<ContactOrder>,
  ): Promise<Page<ContactDetails>> {
    return this.contacts.list({ organisationId, userId }, request);
  }

  @Get(':contactId')
  @Access('contacts.read', 'Read a contact of a user')
  @RespondsWith(200, ContactsShapes, 'single')
  read(@PathId('contactId') id: number): Promise<ContactDetails> {
    return this.contacts.read(id);
  }

  @Put(':contactId')
  @Access(
    'contacts.update',
    'Change a contact of a user',
    'Without `preferences` the enabled groups stay as they are.',
  )
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('contactId') id: number,
    @RequestBody(ContactsShapes, 'update') input: ContactInput,
  ): Promise<void> {
    return this.contacts.update(caller, id, input);
  }

  @Delete(':contactId')
  @Access('contacts.delete', 'Delete a contact of a user')
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('contactId') id: number): Promise<void> {
    return this.contacts.delete(caller, id);
  }
}
