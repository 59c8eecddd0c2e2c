import { Controller, Delete, Get, Module, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { ContactsModule } from './contacts.module';
import { ListQuery } from '@app/platform/lists/list-query.decorator';

/** The organisation's own contacts. */
@ApiTags('organisation contacts')
@Controller('organisations/:organisationId/contacts')
@PathRecords({
  contactId: {
    name: 'Contact',
    table: 'contacts',
    owner: 'organisation_id',
    within: 'organisation',
    condition: 'record.user_id IS NULL',
  },
})
@Versioned({ table: 'contacts', parameter: 'contactId' })
export class OrganisationContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @Access('organisationContacts.create', 'Add a contact to an organisation')
  @RespondsWith(201, ContactsShapes, 'single')
  create(
    @Ctx() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(ContactsShapes, 'create') input: ContactInput,
  ): Promise<ContactDetails> {
    return this.contacts.create(caller, { organisationId, userId: null }, input);
  }

  @Get()
  @Access('organisationContacts.list', 'List the contacts of an organisation')
  @RespondsWith(200, ContactsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(ContactsShapes, 'list') request: ListRequest<ContactOrder>,
  ): Promise<Page<ContactDetails>> {
    return this.contacts.list({ organisationId, userId: null }, request);
  }

  @Get(':contactId')
  @Access('organisationContacts.read', 'Read a contact of an organisation')
  @RespondsWith(200, ContactsShapes, 'single')
  read(@PathId('contactId') id: number): Promise<ContactDetails> {
    return this.contacts.read(id);
  }

  @Put(':contactId')
  @Access('organisationContacts.update', 'Change a contact of an organisation')
  @NoContent()
  update(
    @Ctx() caller: Caller,
    @PathId('contactId') id: number,
    @RequestBody(ContactsShapes, 'update') input: ContactInput,
  ): Promise<void> {
    return this.contacts.update(caller, id, input);
  }

  @Delete(':contactId')
  @Access('organisationContacts.delete', 'Delete a contact of an organisation')
  @NoContent()
  delete(@Ctx() caller: Caller, @PathId('contactId') id: number): Promise<void> {
    return this.contacts.delete(caller, id);
  }
}

@Module({ imports: [ContactsModule], controllers: [OrganisationContactsController] })
export class OrganisationContactsModule {}
