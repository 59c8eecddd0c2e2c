import request, { type Test } from 'supertest';
import { servedPath } from '../../../tools/qa/deployment';
import { ADMIN, type ReachableService } from './service';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** Speaks to a service as one caller: paths are relative to `/v1`, apart from those of a standard, the hash goes with every request. */
export class ApiClient {
  constructor(
    private readonly url: string,
    readonly hash?: string,
  ) {}

  get = (path: string): Test => this.call('get', path);
  delete = (path: string): Test => this.call('delete', path);
  post = (path: string, body?: object): Test => this.call('post', path, body);
  put = (path: string, body?: object): Test => this.call('put', path, body);
  patch = (path: string, body?: object): Test => this.call('patch', path, body);

  call(method: Method, path: string, body?: object): Test {
    const test = request(this.url)[method](servedPath(path));
    if (this.hash !== undefined) void test.set('Authorization', this.hash);
    return body === undefined ? test : test.send(body);
  }
}

/** A caller without a credential. */
export const anonymous = (service: Pick<ReachableService, 'url'>): ApiClient => new ApiClient(service.url);

/** Logs in and gives a client for the new credential. */
export async function loggedIn(
  service: Pick<ReachableService, 'url'>,
  username: string,
  password: string,
): Promise<ApiClient> {
  const response = await anonymous(service).post('/login', { username, password }).expect(200);
  return new ApiClient(service.url, (response.body as { hash: string }).hash);
}

/** The first admin of the operator organisation. */
export const asAdmin = (service: Pick<ReachableService, 'url'>): Promise<ApiClient> =>
  loggedIn(service, ADMIN.username, ADMIN.password);

/** The names of the fields that a 400 complains of, in alphabetical order. */
export const failingFields = ({ body }: { readonly body: unknown }): string[] =>
  Object.keys((body as { errors?: { children?: object } }).errors?.children ?? {}).sort();
