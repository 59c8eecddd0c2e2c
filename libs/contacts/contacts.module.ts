import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/platform/errors/api-error';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ContactNotices } from './contact-notices';
import { Contact } from './contact.entity';
import { ContactRecords, ContactsCleanUp, FormerContactRecords } from './contacts.lifecycle';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';
import { CONTACT_CONSTRAINT_ERRORS } from './contact.types';
import { FormerContact } from './former-contact.entity';
import { ContactsShapes } from './shapes/contacts.shapes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Contact, FormerContact]),
    ConstraintErrorsModule.forFeature(CONTACT_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [ContactsController],
  providers: [
    ContactsService,
    ContactNotices,
    ContactsShapes,
    ContactRecords,
    ContactsCleanUp,
    FormerContactRecords,
  ],
  exports: [ContactsService, ContactsShapes],
})
export class ContactsModule {}
