import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { lazily } from '@app/platform/process/lazily';

/**
 * A mail that is ready to be sent. Sender and recipient are plain e-mail addresses,
 * which the caller has checked.
 */
export interface MailMessage {
  readonly from: string;
  /** Shown with the address of the sender. */
  readonly fromName?: string | undefined;
  /** A plain e-mail address. */
  readonly replyTo?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * Message id in angle brackets. It is the same at every try, so that the receiver
   * can recognise a repetition.
   */
  readonly messageId: string;
}

/** How mails leave the service. */
export abstract class MailTransport {
  /**
   * Resolves when the other side has accepted the mail, otherwise rejects.
   * @param isUrgent a person waits for it: it does not wait behind other mails
   */
  abstract deliver(message: MailMessage, isUrgent?: boolean): Promise<void>;

  /** Ends what stays open between mails; with `force` the mails in hand too, which then reject. */
  close?(force?: boolean): void;
}

export function asNodemailer({
  from,
  fromName = '',
  replyTo,
  to,
  subject,
  ...message
}: MailMessage): SendMailOptions {
  // nodemailer sends such a word as it is, and the reader sees what it decodes to (rule pages 40).
  const isMistakable = subject.includes('=?');
  return {
    ...message,
    ...(!isMistakable && { subject }),
    from: { name: fromName, address: from },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    to: { name: '', address: to },
    // The envelope decides the recipients, not the headers.
    envelope: { from, to: [to] },
    headers: {
      'Auto-Submitted': 'auto-generated',
      // Exchange does not read the line above, and would answer with texts of people who are away.
      'X-Auto-Response-Suppress': 'All',
      ...(isMistakable && { Subject: { prepared: true, foldLines: true, value: encodedWords(subject) } }),
    },
    // A body cannot make nodemailer read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Bytes of an encoded word, so that it has at most 75 characters. */
const WORD_BYTES = 45;

/** The whole text as encoded words (RFC 2047). A character is never divided between two of them. */
function encodedWords(text: string): string {
  const words: string[] = [''];
  for (const character of text) {
    const word = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(word) <= WORD_BYTES) words[words.length - 1] = word;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

const nodemailer = lazily(() => import('nodemailer'));

/**
 * Writes mails as `.eml` files if there is no mail server. They contain tokens, so
 * only the owner may read them.
 */
export class FolderTransport extends MailTransport {
  private readonly transport = lazily(async () => {
    const { createTransport } = await nodemailer();
    return createTransport({ streamTransport: true, buffer: true });
  });

  constructor(private readonly folder: string) {
    super();
  }

  async deliver(message: MailMessage): Promise<void> {
    const { message: content } = await (await this.transport()).sendMail(asNodemailer(message));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // The id without brackets and domain.
    const id = message.messageId.slice(1, message.messageId.lastIndexOf('@')).replaceAll(/[^\w.-]/g, '_');
    const file = join(this.folder, `${id}.eml`);
    await writeFile(`${file}.part`, content as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }
}
