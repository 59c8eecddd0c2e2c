import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '@app/config/settings';
import { AddressNewsCount } from './address-news.entity';
import { MailBrands } from './mail-brands';
import { MailBudget } from './mail-budget';
import { MailBudgetUse } from './mail-budget.entity';
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
  imports: [DiscoveryModule, TypeOrmModule.forFeature([AddressNewsCount, MailBudgetUse, StoredMail])],
  providers: [
    MailBrands,
    MailBudget,
    MailDelivery,
    MailSources,
    Outbox,
    ReleaseMailsHandler,
    SendMailHandler,
    StoredMails,
    { provide: MailTransport, inject: [Settings], useFactory: mailTransport },
  ],
  exports: [Outbox],
})
export class MailModule {}
