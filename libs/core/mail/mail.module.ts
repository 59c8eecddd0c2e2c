import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../settings/settings';
import { MailBudget } from './mail-budget';
import { MailBudgetUse } from './mail-budget.entity';
import { MailBudgetCleanUp } from './mail-budget.clean-up';
import { MailTransport, mailTransport } from './mail-transport';
import { MailPersonalData } from './mail.privacy';
import { Mailer } from './mailer';
import { Outbox } from './outbox';
import { SendMailHandler } from './send-mail.handler';

/** Mails: queued by whoever has something to tell, sent by the worker. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([MailBudgetUse])],
  providers: [
    MailBudget,
    MailBudgetCleanUp,
    Mailer,
    MailPersonalData,
    Outbox,
    SendMailHandler,
    { provide: MailTransport, inject: [Settings], useFactory: mailTransport },
  ],
  exports: [MailBudget, Mailer, Outbox],
})
export class MailModule {}
