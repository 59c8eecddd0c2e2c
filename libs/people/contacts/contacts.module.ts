import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '@app/mail/mail.module';
import { NotificationsModule } from '@app/people/notifications/notifications.module';
import { UsersModule } from '@app/people/users/users.module';
import { Contact } from './contact.entity';
import { ContactsController, OrganisationContactsController } from './contacts.controller';
import { CONTACT_NOTICES, LOST_NEWS_NOTICES } from './contacts.notices';
import { ContactsService } from './contacts.service';
import { FormerContact } from './former-contact.entity';
import { LostNews } from './lost-news';
import { ContactsShapes } from './shapes/contacts.shapes';

@Module({
  imports: [
    TypeOrmModule.forFeature([Contact, FormerContact]),
    MailModule,
    NotificationsModule.forFeature(CONTACT_NOTICES, LOST_NEWS_NOTICES),
    UsersModule,
  ],
  controllers: [ContactsController, OrganisationContactsController],
  providers: [ContactsService, ContactsShapes, LostNews],
  exports: [ContactsService, ContactsShapes],
})
export class ContactsModule {}
