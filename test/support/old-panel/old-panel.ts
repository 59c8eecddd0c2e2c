import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { urlOf } from '../faults/proxy';
import { READS } from './records';

/** An answer of the panel before it is sent. */
export interface PanelAnswer {
  status: number;
  headers: Record<string, string>;
  /** The whole text of the body. */
  text: string;
  /** Milliseconds before it is sent. */
  delay?: number;
  /** Bytes after which the connection ends. */
  cutAfter?: number;
}

/** Changes the answers of one route; `call` counts the calls of that route, from 1. */
export interface Fault {
  readonly method: string;
  readonly path: string;
  readonly change: (answer: PanelAnswer, call: number) => void;
}

/** A request that the panel got. */
export interface PanelRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization?: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const PANEL_USER = { username: 'anna@bakery.example', password: 'Passw0rd-1' } as const;
/** A credential that never ends. */
export const PANEL_KEY = 'a1b2c3d4'.repeat(8);

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * An old panel that serves a part of Variant B beneath `/v1`. It answers as the description says, and what it
 * leaves open as old panels did: each error has an identifier, each response of a list a link.
 */
export class OldPanel {
  readonly requests: PanelRequest[] = [];
  /** Logins that were made and have not ended. */
  readonly logins = new Set<string>();
  private readonly calls = new Map<string, number>();
  private readonly made = new Map<string, object>();
  private server?: Server;
  private samples = 0;

  /** `firstId` is the identifier of the first record that a POST makes. */
  constructor(
    private readonly faults: readonly Fault[] = [],
    private nextId = 500,
  ) {}

  async start(): Promise<this> {
    this.server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `${urlOf(this.server as Server)}/v1`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(pieces).toString();
    this.requests.push({ method, url, authorization: headers.authorization, headers, body });
    const path = (url.split('?')[0] ?? '').replace(/^\/v1/, '');
    const answer = this.answerTo(method, path, headers.authorization, body);
    const call = (this.calls.get(`${method} ${path}`) ?? 0) + 1;
    this.calls.set(`${method} ${path}`, call);
    for (const fault of this.faults) {
      if (fault.method === method && fault.path === path) fault.change(answer, call);
    }
    await send(answer, response, method);
  }

  private answerTo(
    method: string,
    path: string,
    authorization: string | undefined,
    body: string,
  ): PanelAnswer {
    if (path === '/login' && method === 'POST') return this.logIn(body);
    // Is being maintained.
    if (path === '/countries') return failure(503);
    const isKnown = authorization === PANEL_KEY || this.logins.has(authorization ?? '');
    if (!isKnown) return { ...failure(401), headers: { 'www-authenticate': 'Hash realm="panel"' } };
    if (path === '/logout' && method === 'POST') {
      this.logins.delete(authorization ?? '');
      return empty();
    }
    return this.answerToCaller(method, path, body);
  }

  private answerToCaller(method: string, path: string, body: string): PanelAnswer {
    const isRead = method === 'GET' || method === 'HEAD';
    const found = READS[path] ?? this.made.get(path);
    if (isRead && found !== undefined) return this.read(path, found);
    if (/^\/organisations\/(?:1|99)(?:\/|$)/.test(path))
      return failure(path.startsWith('/organisations/1') ? 403 : 404);
    if (isRead) return failure(404);
    if (method === 'POST' && /\/(?:users\/51\/contacts|organisations)$/.test(path))
      return this.create(path, body);
    if (this.made.has(path) && method === 'DELETE') {
      this.made.delete(path);
      return empty();
    }
    if (this.made.has(path) && method === 'PUT') return empty();
    return { ...failure(405), headers: { allow: 'GET, HEAD' } };
  }

  private read(path: string, found: object): PanelAnswer {
    this.samples += 1;
    // Own noise: a load, the moment and a link that is drawn anew.
    const noisy = path.endsWith('/entities')
      ? { ...found, load: this.samples, dtNow: now(), downloadHash: randomBytes(32).toString('hex') }
      : found;
    const headers: Record<string, string> = {};
    if (path.endsWith('s')) headers['link'] = `<${this.url}${path}?offset=5>; rel="next"`;
    return { status: 200, headers, text: JSON.stringify(noisy) };
  }

  private create(path: string, body: string): PanelAnswer {
    const id = this.nextId++;
    const key = path.endsWith('contacts') ? 'contact' : 'organisation';
    const record = { id, ...(JSON.parse(body) as object), dtCreated: now() };
    this.made.set(`${path}/${id}`, { [key]: record });
    const headers = { location: `${this.url}${path}/${id}` };
    return { status: 201, headers, text: JSON.stringify({ [key]: record }) };
  }

  private logIn(body: string): PanelAnswer {
    const { username, password } = JSON.parse(body) as Partial<typeof PANEL_USER>;
    if (username !== PANEL_USER.username || password !== PANEL_USER.password) return failure(401);
    const hash = randomBytes(32).toString('hex');
    this.logins.add(hash);
    return { status: 200, headers: {}, text: JSON.stringify({ success: true, user: { id: 51 }, hash }) };
  }
}

const now = (): string => String(Math.floor(Date.now() / 1000));

const empty = (): PanelAnswer => ({ status: 204, headers: {}, text: '' });

const failure = (status: number): PanelAnswer => ({
  status,
  headers: {},
  text: JSON.stringify({ error: `failed with ${status}`, requestId: randomBytes(8).toString('hex') }),
});

async function send(answer: PanelAnswer, response: ServerResponse, method: string): Promise<void> {
  if (answer.delay !== undefined) await pause(answer.delay);
  const { status, headers, text, cutAfter } = answer;
  response.writeHead(status, { ...(text !== '' && { 'content-type': JSON_TYPE }), ...headers });
  if (cutAfter === undefined) {
    response.end(method === 'HEAD' ? undefined : text);
    return;
  }
  response.write(text.slice(0, cutAfter));
  await pause(20);
  response.destroy();
}
