import { MailCatcher } from './mail-catcher';
import { MailFolder } from './mail-folder';
import { MailListener } from './mail-listener';
import type { Mailbox } from './mailbox';
import { AwaitedMails, type Mails } from './mails';
import { TypedSecrets } from './typed-secrets';

/** Where mails are to be read: one place, or none. */
export interface MailOptions {
  /** How long a mail may take. */
  readonly seconds: number;
  readonly folder?: string;
  readonly listen?: { readonly host: string; readonly port: number };
  /** Address of Mailpit or MailHog. */
  readonly catcher?: string;
  /** A person reads them. */
  readonly typed?: boolean;
}

/** The mails of the place; undefined where there is none. Open it before the deployment is asked for anything. */
export async function openMails(options: MailOptions, stopping: AbortSignal): Promise<Mails | undefined> {
  if (options.typed === true) return new TypedSecrets(process.stdin, process.stderr, stopping);
  const mailbox = await openMailbox(options);
  return mailbox === undefined ? undefined : new AwaitedMails(mailbox, options.seconds, stopping);
}

async function openMailbox({ folder, listen, catcher }: MailOptions): Promise<Mailbox | undefined> {
  if (folder !== undefined) return MailFolder.open(folder);
  if (listen !== undefined) return MailListener.open(listen.host, listen.port);
  return catcher === undefined ? undefined : MailCatcher.open(catcher);
}
