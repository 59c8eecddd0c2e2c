import { once } from 'node:events';
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Response } from 'express';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { ClientAddresses } from '../access/client-addresses';
import { auditedHandler, type RouteHandler } from '../audit/audit-requests';
import type { ResponseWriter } from '../wire/response-writer';
import { closeListener } from './close-listener';
import { UntakenResponses } from './untaken-responses';

/** Milliseconds between two looks for connections whose time is over: by so much they may outlive it. */
const CONNECTIONS_CHECKING_INTERVAL = 5000;

/** Milliseconds that a connection which was made before the listener closed has for its request to arrive. */
const FIRST_REQUEST_TIME = 1000;

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

const malformed = new WeakSet<IncomingMessage>();

/** Whether the target of a request is in absolute form and no URL. */
export const hasMalformedTarget = (request: IncomingMessage): boolean => malformed.has(request);

/**
 * Express behind a server of our own. A whole address as the target of a request, which proxies may send (RFC 9112,
 * section 3.2.2), becomes its path before express looks at it: of one that is no URL it would make a page of its own.
 */
export class HttpAdapter extends ExpressAdapter {
  /** With the responses that each owes. */
  private readonly connections = new Map<Socket, Set<ServerResponse>>();
  private readonly underWay = new Set<ServerResponse>();
  private readonly untaken = new UntakenResponses();
  private isDraining = false;
  private writer: ResponseWriter | undefined;
  private addresses: ClientAddresses | undefined;

  /** From now on what handlers give is written by it. */
  writeBy(writer: ResponseWriter): void {
    this.writer = writer;
  }

  /** From now on changes are those of who asks for them, at these addresses; for routes that are made later. */
  auditBy(addresses: ClientAddresses): void {
    this.addresses = addresses;
  }

  // All methods but those that change nothing.
  override post(...route: unknown[]): unknown {
    return super.post(...this.audited(route));
  }

  override put(...route: unknown[]): unknown {
    return super.put(...this.audited(route));
  }

  override patch(...route: unknown[]): unknown {
    return super.patch(...this.audited(route));
  }

  override delete(...route: unknown[]): unknown {
    return super.delete(...this.audited(route));
  }

  override reply(response: Response, value: unknown, status?: number): unknown {
    const content = this.writer === undefined ? value : this.writer.contentOf(response, value);
    if (content instanceof Promise) {
      return content.then((file: unknown) => super.reply(response, file, status) as unknown);
    }
    // With an entity tag express finds out whether the client has it already; of all else that it looks at before it sends
    // a text there is nothing in a response that was written here.
    return typeof content !== 'string' || content === value || response.hasHeader('ETag')
      ? (super.reply(response, content, status) as unknown)
      : sendWritten(response, content);
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    const serve: RequestListener = application;
    const server = createServer(
      { connectionsCheckingInterval: CONNECTIONS_CHECKING_INTERVAL, ...messagesOf(application) },
      (request, response) => {
        this.follow(request, response);
        takePathAlone(request);
        serve(request, response);
      },
    );
    server.on('connection', (socket) => {
      const owed = new Set<ServerResponse>();
      this.connections.set(socket, owed);
      socket.once('close', () => {
        this.connections.delete(socket);
        // Once Node has closed what it closes itself.
        setImmediate(() => owed.forEach(closeUnsent));
      });
    });
    this.untaken.watch(server, this.underWay);
    this.httpServer = server;
  }

  /** From now on every response is the last of its connection: its client takes the next request elsewhere. */
  drain(): void {
    this.isDraining = true;
    for (const response of this.underWay) makeLast(response);
  }

  /** Takes no more connections and waits for the responses under way, as many milliseconds at most. */
  async closeWithin(milliseconds: number): Promise<void> {
    this.drain();
    const server = this.httpServer as Server;
    const closed = once(server, 'close');
    await closeListener(server);
    const cutOff = setTimeout(() => server.closeAllConnections(), milliseconds);
    // Those that have asked for nothing yet are not idle to Node, which waits for the request.
    const cutSilent = setTimeout(() => {
      for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    }, FIRST_REQUEST_TIME);
    await closed;
    for (const timer of [cutOff, cutSilent]) clearTimeout(timer);
  }

  /** Nest gives a path and the handler, which settles when the response is on its way or the error is answered. */
  private audited([path, handler]: unknown[]): [path: unknown, handler: RouteHandler] {
    if (this.addresses === undefined) throw new Error('Routes are made once it is known who acts in them');
    return [path, auditedHandler(handler as RouteHandler, this.addresses)];
  }

  private follow({ socket }: IncomingMessage, response: ServerResponse): void {
    if (this.isDraining) makeLast(response);
    const owed = this.connections.get(socket);
    this.underWay.add(response);
    owed?.add(response);
    response.once('close', () => {
      this.underWay.delete(response);
      owed?.delete(response);
    });
  }
}

function sendWritten(response: Response, text: string): Response {
  response.setHeader('Content-Length', Buffer.byteLength(text));
  return response.req.method === 'HEAD' ? response.end() : response.end(text);
}

function makeLast(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close');
    return;
  }
  const { socket } = response;
  response.once('finish', () => socket?.end());
}

/**
 * Of a connection that breaks Node closes the response alone whose turn it is. Those to requests that were sent behind it
 * would be under way for ever, with all that is held for them.
 */
function closeUnsent(response: ServerResponse): void {
  response.destroy();
  response.emit('close');
}

/**
 * Classes of requests and responses that have express's prototypes from the start. Express gives them to every object by
 * `Object.setPrototypeOf`, after which V8 no longer optimises what touches it: 148 instead of 67 microseconds of
 * processor time for the smallest request of bare express, on Node 20. Given already, that call changes nothing.
 * Node's classes are functions that may be called on an object; as `super()` they would make one with a prototype of its own.
 */
function messagesOf(application: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  function ExpressRequest(this: IncomingMessage, ...parameters: unknown[]): void {
    Reflect.apply(IncomingMessage, this, parameters);
  }
  function ExpressResponse(this: ServerResponse, ...parameters: unknown[]): void {
    Reflect.apply(ServerResponse, this, parameters);
  }
  ExpressRequest.prototype = application.request;
  ExpressResponse.prototype = application.response;
  return {
    IncomingMessage: ExpressRequest as unknown as typeof IncomingMessage,
    ServerResponse: ExpressResponse as unknown as typeof ServerResponse,
  };
}

function takePathAlone(request: IncomingMessage): void {
  const target = request.url ?? '/';
  if (!AUTHORITY.test(target)) return;
  const path = target.replace(AUTHORITY, '');
  request.url = path.startsWith('/') ? path : `/${path}`;
  if (URL.canParse(target)) return;
  malformed.add(request);
  request.url = '/';
}
