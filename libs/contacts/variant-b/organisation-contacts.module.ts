import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts.module';
import { OrganisationContactsControllerB } from './organisation-contacts.controller';

@Module({ imports: [ContactsModule], controllers: [OrganisationContactsControllerB] })
export class OrganisationContactsModuleB {}
