import { isTo, readMail, type Mailbox } from './mailbox';

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
