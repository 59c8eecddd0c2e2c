import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '@app/config/settings';
import { CustomersModule } from '@app/security/customers/customers.module';
import { ThrottlingModule } from '@app/security/throttling/throttling.module';
import { MailBounds } from './mail-bounds';
import { MailBrands } from './mail-brands';
import { MailDelivery } from './mail-delivery';
import { ReleaseMailsHandler } from './mail-release.handler';
import { MailSources } from './mail-source';
import { MailTransport } from './mail-transport';
import { Outbox } from './outbox';
import { SendMailHandler } from './send-mail.handler';
import { mailTransport } from './smtp-transport';
import { StoredMail } from './stored-mail.entity';
import { StoredMails } from './stored-mails';

/** Mails: a domain queues them, or is a source of them; the worker releases and sends them. */
@Module({
  imports: [CustomersModule, DiscoveryModule, ThrottlingModule, TypeOrmModule.forFeature([StoredMail])],
  providers: [
    MailBounds,
    MailBrands,
    MailDelivery,
    MailSources,
    Outbox,
    ReleaseMailsHandler,
    SendMailHandler,
    StoredMails,
    { provide: MailTransport, inject: [Settings], useFactory: mailTransport },
  ],
  exports: [MailBounds, MailBrands, Outbox],
})
export class MailModule {}
