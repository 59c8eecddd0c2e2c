import { Agent } from 'node:http';
import request, { type Response, type Test } from 'supertest';
import { servedPath } from '../../../qa/deployment';
import { ADMIN, logsByUrl, type ReachableService } from './service';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/**
 * To services of this process, as programs keep theirs: a new connection takes as long as a request. Services
 * in processes of their own end in the middle of tests.
 */
const keptConnections = new Agent({ keepAlive: true });

/**
 * Speaks to a service as one caller: paths are relative to `/v1`, apart from those of a standard, the
 * hash goes with every request.
 */
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
    if (logsByUrl.has(this.url)) void test.agent(keptConnections);
    if (this.hash !== undefined) void test.set('Authorization', this.hash);
    const shown = `${method.toUpperCase()} ${servedPath(path)}`;
    explainFailure(test, () => `${shown} ${JSON.stringify(body) ?? ''}`, logsByUrl.get(this.url));
    return body === undefined ? test : test.send(body);
  }
}

/** Characters of a body, or of a line of the log, that the error of a test shows. */
const LONGEST_PART = 4000;

/** Adds the request, its answer and its lines of the log to the error of an `expect` that fails. */
function explainFailure(test: Test, request: () => string, log: readonly string[] = []): void {
  const end = test.end.bind(test);
  test.end = (callback) =>
    end((error: Error | null, response: Response | undefined) => {
      if (error instanceof Error && response !== undefined) {
        const id = (response.headers as Record<string, string>)['x-request-id'];
        const lines = log.filter((line) => id !== undefined && line.includes(id));
        const parts = [request(), `${response.status} ${response.text}`, ...lines];
        const told = [error.message, ...parts.map((part) => part.slice(0, LONGEST_PART))].join('\n');
        error.stack = error.stack?.replace(error.message, () => told);
        error.message = told;
      }
      callback?.(error, response as Response);
    });
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
