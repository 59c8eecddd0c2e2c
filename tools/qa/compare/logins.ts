import type { ServerAddress } from './addresses';
import { isAnswer, type Result } from './answers';
import type { Client } from './client';
import { type Account, type Credentials, isAccount, type Pair } from './credentials';
import { shownName } from './masks';
import { isBusy, mayAskAgain } from './pace';

export type SideName = 'old' | 'new';

/** One server of the two. */
export interface Side {
  readonly name: SideName;
  readonly address: ServerAddress;
  readonly client: Client;
}

export const USER_AGENT = 'account-api-qa';

/** Logins of a file's own that are kept to be ended at the end; the oldest ends before. */
const MOST_KEPT = 1000;

/** How often a login waits for a server. */
const MOST_WAITS = 10;

/** The credentials of a run: makes the logins that it needs, and ends them. */
export class Logins {
  private readonly made = new Map<string, Promise<Pair | undefined>>();
  private open: { readonly side: Side; readonly hash: string }[] = [];

  constructor(
    private readonly credentials: Credentials,
    private readonly sides: Readonly<Record<SideName, Side>>,
    private readonly tell: (text: string) => void,
    private readonly stopping: AbortSignal,
  ) {}

  has(name: string): boolean {
    return this.credentials.has(name);
  }

  /** The values for both sides; nothing where there is no credential, or its login fails. */
  async pair(name: string): Promise<Pair | undefined> {
    const credential = this.credentials.get(name);
    if (credential === undefined || !isAccount(credential)) return credential;
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const begun = this.logIn(name, credential);
    this.made.set(name, begun);
    return begun;
  }

  /** A login that a file's own request has ended is made anew. */
  forget(name: string): void {
    this.made.delete(name);
  }

  /** Remembers a login that a request of the file has made. */
  async remember(results: Readonly<Record<SideName, Result>>): Promise<void> {
    for (const name of ['old', 'new'] as const) {
      const hash = hashOf(results[name]);
      if (hash !== undefined) this.open.push({ side: this.sides[name], hash });
    }
    await this.endAll(this.open.splice(0, this.open.length - MOST_KEPT));
  }

  /** Ends every login that the run has made. */
  async end(): Promise<void> {
    await Promise.allSettled(this.made.values());
    await this.endAll(this.open.splice(0));
  }

  private async logIn(name: string, { username, password }: Account): Promise<Pair | undefined> {
    const body = JSON.stringify({ username, password });
    const [old, fresh] = await Promise.all([
      this.postLogin(this.sides.old, body),
      this.postLogin(this.sides.new, body),
    ]);
    await this.remember({ old, new: fresh });
    const [oldHash, newHash] = [hashOf(old), hashOf(fresh)];
    if (oldHash !== undefined && newHash !== undefined) return { old: oldHash, new: newHash };
    const outcomes = `${statusOf(old)} on the old side, ${statusOf(fresh)} on the new one`;
    this.tell(`The login of ${shownName(name)} fails, so its requests are skipped: ${outcomes}.`);
    return undefined;
  }

  /** Servers limit logins, and check few passwords at once: a user must not lack in a whole run for that. */
  private async postLogin(side: Side, body: string): Promise<Result> {
    let result = await this.post(side, '/login', body);
    for (let waits = 0; waits < MOST_WAITS && isBusy(result); waits += 1) {
      if (!(await mayAskAgain(result, this.stopping))) break;
      result = await this.post(side, '/login', body);
    }
    return result;
  }

  private async endAll(logins: readonly { readonly side: Side; readonly hash: string }[]): Promise<void> {
    for (const { side, hash } of logins) {
      const result = await this.post(side, '/logout', undefined, hash);
      // A request of the file may have ended it.
      const isEnded = isAnswer(result) && (result.status < 400 || result.status === 401);
      if (!isEnded) this.tell(`A login on the ${side.name} side could not be ended: ${statusOf(result)}.`);
    }
  }

  private post({ client, address }: Side, path: string, body?: string, hash?: string): Promise<Result> {
    return client.send({
      method: 'POST',
      path: address.pathOf(path, false),
      headers: {
        'user-agent': USER_AGENT,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(hash !== undefined && { authorization: hash }),
      },
      ...(body !== undefined && { body }),
      isRead: false,
    });
  }
}

const statusOf = (result: Result): string => (isAnswer(result) ? String(result.status) : result.failure);

function hashOf(result: Result): string | undefined {
  if (!isAnswer(result) || result.status >= 300 || result.body === undefined) return undefined;
  try {
    const { hash } = JSON.parse(result.body.toString()) as { readonly hash?: unknown };
    return typeof hash === 'string' && hash !== '' ? hash : undefined;
  } catch {
    return undefined;
  }
}
