import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { lazily } from '../loading/lazily';
import type { Settings } from '../settings/settings';

/** A mail that is ready to go: addresses are plain ones, checked before. */
export interface MailMessage {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With angle brackets; the same at every try, so that the receiving side can tell a repetition. */
  readonly messageId: string;
}

/** The way out for mails. */
export abstract class MailTransport {
  /** Resolves when the other side has taken the mail over; rejects otherwise. */
  abstract deliver(message: MailMessage): Promise<void>;
}

/** Milliseconds; a mail server that hangs must not hold a worker, nor the stop of the process, for long. */
const CONNECTION_TIMEOUT = 10_000;
const SILENCE_TIMEOUT = 20_000;

function asNodemailer({ from, to, ...message }: MailMessage): SendMailOptions {
  return {
    ...message,
    from: { name: '', address: from },
    to: { name: '', address: to },
    // Given apart: nothing in a header can become a recipient.
    envelope: { from, to: [to] },
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A body never makes the service read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const nodemailer = lazily(() => import('nodemailer'));

/** Hands mails to the server of `SMTP_URL`. */
class SmtpTransport extends MailTransport {
  private readonly transport: () => Promise<Transporter>;

  constructor(url: string) {
    super();
    this.transport = lazily(async () => {
      const { createTransport } = await nodemailer();
      return createTransport({
        url,
        connectionTimeout: CONNECTION_TIMEOUT,
        greetingTimeout: CONNECTION_TIMEOUT,
        socketTimeout: SILENCE_TIMEOUT,
      });
    });
  }

  async deliver(message: MailMessage): Promise<void> {
    const transport = await this.transport();
    await transport.sendMail(asNodemailer(message));
  }
}

/** Writes mails as `.eml` files: what a machine without a mail server does. They hold tokens, so only the owner reads them. */
export class FolderTransport extends MailTransport {
  private readonly transport = lazily(async () => {
    const { createTransport } = await nodemailer();
    return createTransport({ streamTransport: true, buffer: true });
  });

  constructor(private readonly folder: string) {
    super();
  }

  async deliver(message: MailMessage): Promise<void> {
    const transport = await this.transport();
    const { message: content } = await transport.sendMail(asNodemailer(message));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, `${fileNameOf(message.messageId)}.eml`);
    await writeFile(`${file}.part`, content as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }
}

/** The id without brackets and domain. */
const fileNameOf = (messageId: string): string =>
  messageId.slice(1, messageId.lastIndexOf('@')).replaceAll(/[^\w.-]/g, '_');

/** The transport that the settings ask for. */
export const mailTransport = ({ smtpUrl, dataDir }: Pick<Settings, 'smtpUrl' | 'dataDir'>): MailTransport =>
  smtpUrl === undefined ? new FolderTransport(join(dataDir, 'mail')) : new SmtpTransport(smtpUrl);
