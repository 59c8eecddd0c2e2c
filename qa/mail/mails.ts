import { setTimeout as pause } from 'node:timers/promises';
import { type Mailbox, MailFolder, MailListener } from './mailboxes';

/** The secrets that mails carry. */
export type MailedSecret = 'invitationToken' | 'resetToken' | 'confirmationCode' | 'documentHash';

/** What a run needs of the mails that a deployment sends. */
export interface Mails {
  /** The secret in the newest mail to the address. */
  mailedSecret(address: string, secret: MailedSecret): Promise<string>;
  close(): Promise<void>;
}

const LINK = /\b[a-z][a-z\d+.-]*:\/\/\S+/gi;
const TOKEN = /(?<![\da-z])[\da-f]{64}(?![\da-z])/;
/** Links to documents have the path of the interface, or of the page that leads there. */
const DOCUMENT_LINK = /\/(?:downloadpdf|account\/documents)\/\d+\/\d+\/([\da-f]{64})(?![\da-z])/;
const CODE = /(?<![\da-z])\d{8}(?![\da-z])/i;

/** The token of either kind in a text, such as a link that holds it. */
const tokenIn = (text: string): string | undefined => TOKEN.exec(text)?.[0];

/**
 * The secret in the text of a mail, whatever its language and wherever its links lead: both kinds of mail
 * hold a token, and one that recovers holds a code beside it.
 */
export function secretIn(text: string, secret: MailedSecret): string | undefined {
  const [, documentHash] = DOCUMENT_LINK.exec(text) ?? [];
  if (secret === 'documentHash' || documentHash !== undefined) {
    return secret === 'documentHash' ? documentHash : undefined;
  }
  const token = tokenIn(text);
  const code = CODE.exec(text.replaceAll(LINK, ''))?.[0];
  if (token === undefined) return undefined;
  if (secret === 'invitationToken') return code === undefined ? token : undefined;
  return code === undefined || secret === 'confirmationCode' ? code : token;
}

const SECOND = 1000;
const POLL_MILLISECONDS = 250;

/** Waits for the mails of a deployment, which arrive shortly after the response that promises them. */
class AwaitedMails implements Mails {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly patienceSeconds: number,
    private readonly stopping: AbortSignal,
  ) {}

  async mailedSecret(address: string, secret: MailedSecret): Promise<string> {
    const end = performance.now() + this.patienceSeconds * SECOND;
    for (;;) {
      const texts = await this.mailbox.textsTo(address);
      const found = texts.map((text) => secretIn(text, secret)).findLast((match) => match !== undefined);
      if (found !== undefined) return found;
      if (this.stopping.aborted) throw new Error('interrupted');
      if (performance.now() > end) {
        const seen = texts.length === 0 ? 'no mail' : `no mail with the ${secret}`;
        throw new Error(
          `${seen} to ${address} came to ${this.mailbox.place} within ${this.patienceSeconds} s`,
        );
      }
      await pause(POLL_MILLISECONDS);
    }
  }

  close(): Promise<void> {
    return this.mailbox.close();
  }
}

/** Where to read mails: one place, or none. */
export interface MailOptions {
  /** How long a mail may take. */
  readonly seconds: number;
  readonly folder?: string;
  readonly listen?: { readonly host: string; readonly port: number };
}

/**
 * The mails of the place; undefined where there is none. Open it before the deployment is asked for anything.
 */
export async function openMails(options: MailOptions, stopping: AbortSignal): Promise<Mails | undefined> {
  const mailbox = await openMailbox(options);
  return mailbox && new AwaitedMails(mailbox, options.seconds, stopping);
}

async function openMailbox({ folder, listen }: MailOptions): Promise<Mailbox | undefined> {
  if (folder !== undefined) return MailFolder.open(folder);
  return listen && MailListener.open(listen.host, listen.port);
}
