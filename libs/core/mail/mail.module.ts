import { Global, Module } from '@nestjs/common';
import { Settings } from '../settings/settings';
import { MailTransport, mailTransport } from './mail-transport';
import { Mailer } from './mailer';
import { Outbox } from './outbox';
import { SendMailHandler } from './send-mail.handler';

/** Mails: queued by whoever has something to tell, sent by the worker. */
@Global()
@Module({
  providers: [
    Mailer,
    Outbox,
    SendMailHandler,
    { provide: MailTransport, inject: [Settings], useFactory: mailTransport },
  ],
  exports: [Mailer, Outbox],
})
export class MailModule {}
