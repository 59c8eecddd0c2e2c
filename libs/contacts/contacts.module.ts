import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrorsModule } from '@app/core/errors/constraint-errors.module';
import { NotificationsModule } from '@app/notifications/notifications.module';
import { ContactNotices } from './contact-notices';
import { Contact } from './contact.entity';
import { ContactDeletion } from './contacts.deletion';
import { ContactPersonalData } from './contacts.privacy';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';
import { CONTACT_CONSTRAINT_ERRORS } from './contacts.errors';
import { ContactsOfRestoredUsers } from './restored-users';
import { ContactsShapes } from './shapes/contacts.shapes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Contact]),
    ConstraintErrorsModule.forFeature(CONTACT_CONSTRAINT_ERRORS),
    NotificationsModule,
  ],
  controllers: [ContactsController],
  providers: [
    ContactsService,
    ContactNotices,
    ContactsShapes,
    ContactDeletion,
    ContactPersonalData,
    ContactsOfRestoredUsers,
  ],
  exports: [ContactsService, ContactsShapes],
})
export class ContactsModule {}
