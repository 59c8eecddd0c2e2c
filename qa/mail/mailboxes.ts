import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** Reads the mails of a deployment. */
export interface Mailbox {
  /** For messages. */
  readonly place: string;
  /** The texts of the mails to an address, newest last. */
  textsTo(address: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The parts of a mail that examples need. */
export interface ReadMail {
  readonly to: readonly string[];
  readonly text: string;
}

/** Reads a mail in any form that a mail server on its way may have given it. */
async function readMail(content: Buffer | string): Promise<ReadMail> {
  const { to = [], text, html } = await PostalMime.parse(content);
  const addresses = to.flatMap(({ address, group = [] }) => [address, ...group.map((one) => one.address)]);
  return {
    to: addresses.filter((address) => address !== undefined).map((address) => address.toLowerCase()),
    text: text ?? html ?? '',
  };
}

const isTo =
  (address: string) =>
  ({ to }: ReadMail): boolean =>
    to.includes(address.toLowerCase());

interface StoredMail extends ReadMail {
  readonly modified: number;
}

/** A folder of `.eml` files, such as the one where a service without a mail server leaves its mails. */
export class MailFolder implements Mailbox {
  readonly place: string;
  private readonly mails = new Map<string, StoredMail>();

  private constructor(
    private readonly folder: string,
    /** The files that were there before: nothing in them is for this run. */
    private readonly old: ReadonlySet<string>,
  ) {
    this.place = folder;
  }

  static async open(folder: string): Promise<MailFolder> {
    return new MailFolder(folder, new Set(await filesOf(folder)));
  }

  async textsTo(address: string): Promise<readonly string[]> {
    for (const file of await filesOf(this.folder)) {
      if (this.old.has(file) || this.mails.has(file)) continue;
      const path = join(this.folder, file);
      const mail = await readMail(await readFile(path));
      this.mails.set(file, { ...mail, modified: (await stat(path)).mtimeMs });
    }
    return [...this.mails.values()]
      .filter(isTo(address))
      .sort((one, other) => one.modified - other.modified)
      .map(({ text }) => text);
  }

  async close(): Promise<void> {}
}

/** A folder that is not there yet is empty: the service makes it for its first mail. */
async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return files.filter((file) => file.endsWith('.eml'));
}

const MAX_MAIL_BYTES = 1_000_000;

/** A mail server that takes every mail and keeps it until the run ends. */
export class MailListener implements Mailbox {
  private readonly mails: ReadMail[] = [];
  private readonly server: SMTPServer;

  private constructor(readonly place: string) {
    this.server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      size: MAX_MAIL_BYTES,
      logger: false,
      onAuth: (_auth, _session, callback) => callback(null, { user: 'anybody' }),
      onData: (stream, session, callback) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        buffer(stream)
          .then(readMail)
          .then(({ text }) => void this.mails.push({ to: recipients, text }))
          .then(
            () => callback(null),
            (error: Error) => callback(error),
          );
      },
    });
  }

  static async open(host: string, port: number): Promise<MailListener> {
    const listener = new MailListener(`${host}:${port}`);
    await new Promise<void>((resolve, reject) => {
      listener.server.once('error', reject);
      listener.server.listen(port, host, resolve);
    });
    // A connection that breaks is the deployment's to open again.
    listener.server.on('error', () => undefined);
    return listener;
  }

  async textsTo(address: string): Promise<readonly string[]> {
    return Promise.resolve(this.mails.filter(isTo(address)).map(({ text }) => text));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}
