import PostalMime from 'postal-mime';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
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

/** Milliseconds. */
const TIMEOUT = 10_000;

interface Found {
  readonly ID: string;
  /** When it came, ISO 8601. */
  readonly Created: string;
  readonly Raw?: { readonly Data: string };
}

/** Mailpit (its API is version 1) or MailHog (version 2). */
export class MailCatcher implements Mailbox {
  readonly place: string;

  private constructor(
    private readonly url: URL,
    private readonly isMailpit: boolean,
  ) {
    this.place = url.origin;
  }

  static async open(address: string): Promise<MailCatcher> {
    const url = new URL(address);
    for (const isMailpit of [true, false]) {
      const response = await ask(url, isMailpit ? 'api/v1/info' : 'api/v2/messages?limit=1');
      if (response.ok) return new MailCatcher(url, isMailpit);
      if (response.status !== 404) throw new Error(`${url.origin} responds with ${response.status}`);
    }
    throw new Error(`${url.origin} is neither Mailpit nor MailHog`);
  }

  async textsTo(address: string): Promise<readonly string[]> {
    const found = await this.search(address);
    // Both search for parts of an address; both say when a mail came, and not in which order they give them.
    const inOrder = [...found].sort((one, other) => Date.parse(one.Created) - Date.parse(other.Created));
    const mails = await Promise.all(inOrder.map(async (mail) => readMail(await this.contentOf(mail))));
    return mails.filter(isTo(address)).map(({ text }) => text);
  }

  async close(): Promise<void> {}

  private async search(address: string): Promise<readonly Found[]> {
    if (this.isMailpit) {
      const query = encodeURIComponent(`to:"${address}"`);
      const { messages } = await this.json<{ messages: Found[] | null }>(`api/v1/search?query=${query}`);
      return messages ?? [];
    }
    const query = `kind=to&query=${encodeURIComponent(address)}`;
    const { items } = await this.json<{ items: Found[] | null }>(`api/v2/search?${query}`);
    return items ?? [];
  }

  private async contentOf({ ID, Raw }: Found): Promise<string> {
    return Raw?.Data ?? (await this.get(`api/v1/message/${encodeURIComponent(ID)}/raw`)).text();
  }

  private async json<Body>(path: string): Promise<Body> {
    return (await (await this.get(path)).json()) as Body;
  }

  private async get(path: string): Promise<Response> {
    const response = await ask(this.url, path);
    if (!response.ok) throw new Error(`${this.place} responds with ${response.status} to ${path}`);
    return response;
  }
}

/** Below the path of the address; user name and password in it are sent the way that fetch asks for. */
function ask(url: URL, path: string): Promise<Response> {
  const target = new URL(path, `${url.origin}${url.pathname.replace(/\/*$/, '/')}`);
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return fetch(target, {
    signal: AbortSignal.timeout(TIMEOUT),
    headers: url.username === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
  });
}
