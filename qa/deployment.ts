import request, { type Response, type Test } from 'supertest';
import type { Json } from './scenario';

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A request of an example, with its variables filled in. */
export interface Call {
  readonly method: string;
  /** Below `/v1`, or as a standard says, with its query. */
  readonly path: string;
  readonly hash?: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The program of the run in the counts of the service (`cli variants plan`). */
const USER_AGENT = 'account-api-qa';

/**
 * Longest wait for a place under the service's limit on calls from one address; longer waits are for guesses.
 */
const MAX_SECONDS_TO_WAIT = 61;

/** Collections whose items are deleted at their own path, by the key of the response that created one. */
const DELETED_BELOW: readonly (readonly [RegExp, string, string])[] = [
  [/^\/organisations$/, 'organisation', '/organisations'],
  [/^(\/organisations\/\d+)\/(?:users|userandcontact)$/, 'user', '$1/users'],
  [/^(\/organisations\/\d+\/.*(?:contacts|sshkeys|apikeys|invitations|teams))$/, '', '$1'],
  [/^(.*\/apikeys)\/\d+\/rotate$/, '', '$1'],
  [/^(\/pricegroups)$/, '', '$1'],
];

/** Where a path is served: below `/v1`, apart from the paths of a standard. */
export const servedPath = (path: string): string => (/^\/\.well-known\//.test(path) ? path : `/v1${path}`);

/** A running service. Remembers the records made there, and can delete them all. */
export class Deployment {
  private readonly made: string[] = [];

  /** @param onWait is told the seconds of each wait before it begins */
  constructor(
    readonly url: string,
    private readonly onWait: (seconds: number) => void = () => undefined,
  ) {}

  /** Waits where the service says that there were too many calls in this minute. */
  async send(call: Call): Promise<Response> {
    const response = await this.sendOnce(call);
    const wait = Number(response.headers['retry-after']);
    if (response.status !== 429 || !(wait <= MAX_SECONDS_TO_WAIT)) return response;
    this.onWait(wait);
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    return this.sendOnce(call);
  }

  /** Remembers a record that a call made by itself, such as the user of a registration. */
  remember(path: string): void {
    if (!this.made.includes(path)) this.made.push(path);
  }

  /**
   * Deletes what was made and is still there, newest first; gives the paths that could
   * not be deleted, with why.
   */
  async cleanUp(hash: string, from = 0): Promise<string[]> {
    const left: string[] = [];
    for (const path of this.made.splice(from).reverse()) {
      try {
        const { status, text } = await this.send({ method: 'DELETE', path, hash });
        if (status !== 204 && status !== 404) {
          left.push(`${path}: ${status} ${text.slice(0, 200)}`.trim());
        }
      } catch (error) {
        left.push(`${path}: ${(error as Error).message}`);
      }
    }
    return left;
  }

  /** The number of records made so far: `cleanUp` can return to this mark. */
  get mark(): number {
    return this.made.length;
  }

  private async sendOnce(call: Call): Promise<Response> {
    const verb = call.method.toLowerCase() as Verb;
    const test: Test = request(this.url)[verb](servedPath(call.path)).set('User-Agent', USER_AGENT);
    if (call.hash !== undefined) void test.set('Authorization', call.hash);
    for (const [name, value] of Object.entries(call.headers ?? {})) void test.set(name, value);
    const response = await (call.body === undefined ? test : test.send(call.body as object));
    this.keepTrack(call, response);
    return response;
  }

  private keepTrack({ method, path }: Call, { status, body }: Response): void {
    if (method === 'DELETE' && status === 204) {
      const gone = this.made.indexOf(path);
      if (gone >= 0) this.made.splice(gone, 1);
    }
    if (method !== 'POST' || status < 200 || status > 299) return;
    const records = (body ?? {}) as Record<
      string,
      { id?: number; organisation?: { id?: number } } | undefined
    >;
    const registered = path.startsWith('/registerInvitation') ? records['user'] : undefined;
    if (registered !== undefined) {
      this.remember(`/organisations/${registered.organisation?.id}/users/${registered.id}`);
    }
    for (const [pattern, key, collection] of DELETED_BELOW) {
      if (!pattern.test(path)) continue;
      const record = key === '' ? Object.values(records)[0] : records[key];
      if (record?.id !== undefined) this.remember(`${path.replace(pattern, collection)}/${record.id}`);
    }
  }
}
