import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '@app/config/settings';
import { AddressNewsCount } from './address-news.entity';
import { MailBudget } from './mail-budget';
import { MailBudgetUse } from './mail-budget.entity';
import { MailDelivery } from './mail-delivery';
import { MailTransport } from './mail-transport';
import { Outbox } from './outbox';
import { SendMailHandler } from './send-mail.handler';
import { mailTransport } from './smtp-transport';

/** Mails: a domain queues them, the worker sends them. */
@Module({
  imports: [TypeOrmModule.forFeature([AddressNewsCount, MailBudgetUse])],
  providers: [
    MailBudget,
    MailDelivery,
    Outbox,
    SendMailHandler,
    { provide: MailTransport, inject: [Settings], useFactory: mailTransport },
  ],
  exports: [MailBudget, MailDelivery, Outbox],
})
export class MailModule {}
