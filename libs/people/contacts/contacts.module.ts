import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { Contact } from './contact.entity';
import { ContactResets } from './contact-resets';
import { ContactsController, OrganisationContactsController } from './contacts.controller';
import { CONTACT_NOTIFICATIONS } from './contacts.notifications';
import { ContactsService } from './contacts.service';
import { FormerContact } from './former-contact.entity';
import { ContactsShapes } from './shapes/contacts.shapes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Contact, FormerContact]),
    NotificationsModule.forFeature(CONTACT_NOTIFICATIONS),
    UsersModule,
  ],
  controllers: [ContactsController, OrganisationContactsController],
  providers: [ContactResets, ContactsService, ContactsShapes],
  exports: [ContactsService, ContactsShapes],
})
export class ContactsModule {}
