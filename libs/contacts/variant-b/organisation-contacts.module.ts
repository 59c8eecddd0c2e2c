import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts.module';
import { OrganisationContactsController } from './organisation-contacts.controller';

@Module({ imports: [ContactsModule], controllers: [OrganisationContactsController] })
export class OrganisationContactsModule {}
