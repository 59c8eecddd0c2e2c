import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Settings } from '../settings/settings';
import { MailBudget } from './mail-budget';
import { MailBudgetCleanUp } from './mail-budget.clean-up';
import { MailTransport, mailTransport } from './mail-transport';
import { Mailer } from './mailer';
import { Outbox } from './outbox';
import { SendMailHandler } from './send-mail.handler';

/** Mails: queued by whoever has something to tell, sent by the worker. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    MailBudget,
    MailBudgetCleanUp,
    Mailer,
    Outbox,
    SendMailHandler,
    { provide: MailTransport, inject: [Settings], useFactory: mailTransport },
  ],
  exports: [MailBudget, Mailer, Outbox],
})
export class MailModule {}
