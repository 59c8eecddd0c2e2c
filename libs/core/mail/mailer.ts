import { Injectable } from '@nestjs/common';
import { Settings } from '../settings/settings';
import { inSpan } from '../tracing/current-span';
import type { SpanAttributes } from '../tracing/span';
import { renderMail } from './mail-rendering';
import { MailTransport } from './mail-transport';
import type { OutgoingMail } from './mail.types';

/** A mail that goes now. */
export type MailToSend = Pick<OutgoingMail, 'template' | 'to' | 'language' | 'values'>;

/** Writes a mail in its language and hands it over. For jobs only: a request queues its mail in the `Outbox`. */
@Injectable()
export class Mailer {
  private readonly domain: string;
  private readonly attributes: SpanAttributes;

  constructor(
    private readonly transport: MailTransport,
    private readonly settings: Settings,
  ) {
    this.domain = settings.mailFrom.slice(settings.mailFrom.lastIndexOf('@') + 1);
    this.attributes = serverOf(settings.smtpUrl);
  }

  /** `id` names the mail for good: letters, digits, dots and hyphens. Rejects when the mail was not taken over. */
  async send(mail: MailToSend, id: string): Promise<void> {
    const message = {
      ...renderMail(mail.template, mail.language, mail.values),
      from: this.settings.mailFrom,
      to: mail.to,
      messageId: `<${id}@${this.domain}>`,
    };
    const { attributes } = this;
    await inSpan(`mail ${mail.template}`, { kind: 'client', attributes }, () =>
      this.transport.deliver(message),
    );
  }
}

/** Where mails go, as traces tell it: the URL holds a password too. */
function serverOf(smtpUrl: string | undefined): SpanAttributes {
  if (smtpUrl === undefined) return {};
  const { hostname, port } = new URL(smtpUrl);
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) };
}
