import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler, Response } from 'express';
import { normalisedAddress } from '@app/formats/ip-address';
import { noteAddress } from '../context/client-addresses';
import { requestState } from '../context/request-state';
import type { ApiError } from '../errors/api-error';
import { refusalOfMalformed, refusalOfUnreadable, responseWithout } from './malformed-request';
import { NOT_MODIFIED, type ResponseWriter } from './response-writer';

/**
 * Milliseconds between two checks of timeouts. A connection or response may exceed its timeout by this time.
 */
const CHECK_INTERVAL = 5000;

/** Milliseconds for a connection to send the headers of its request once the listener is closed. */
const FIRST_REQUEST_TIMEOUT = 1000;

/**
 * Milliseconds to accept waiting connections. It ends sooner after some turns of the
 * event loop without a new one.
 */
const ACCEPT_TIMEOUT = 5000;
const QUIET_TURNS = 3;

/**
 * Responses with this many characters are sent as bytes. Node would join a text with its headers and reserve
 * three bytes for each character until the client has read it.
 */
const MIN_BUFFERED_LENGTH = 65_536;

/** Most incomplete responses of one connection: more than any client that sends requests ahead owes. */
const MAX_PENDING = 16;

interface Connection {
  /** Incomplete responses. */
  pending: number;
  /** Those of requests that were sent ahead, and that had to wait for the response before theirs. */
  behind: readonly ServerResponse[];
  /** When it last had no incomplete response, in milliseconds of `performance.now()`. */
  since: number;
  /** The response to its newest request, while it is incomplete. */
  newest: ServerResponse | undefined;
  /** Whether that response is the last one: requests behind it are not served. */
  isEnding: boolean;
}

/** Express on Node's server, which knows its clients' addresses and stops without losing a request. */
export class HttpAdapter extends ExpressAdapter {
  /** Milliseconds after which a connection ends that has had incomplete responses all the time. */
  responseTimeout = 600_000;
  /** Called for each refusal of bytes that are not a request. */
  onUnreadable: (refusal: ApiError, requestId: string) => void = () => undefined;
  /**
   * Connections by their sockets. No Map or Set has requests or responses as keys: V8 makes a new table
   * after some dozen entries, the old table keeps its entries alive, and they took a third of the
   * garbage collector's work.
   */
  private readonly connections = new Map<Socket, Connection>();
  private isDraining = false;
  private writer: ResponseWriter | undefined;

  writeBy(writer: ResponseWriter): void {
    this.writer = writer;
  }

  /**
   * Calls handlers added from now on by the match in the state of a request. Express would
   * try all 150 routes in turn.
   */
  serveMatches(): void {
    const handlers = new Map<string, RequestHandler>();
    const serve: RequestHandler = (request, response, next) => {
      const state = requestState(response);
      const { route, parameters = {} } = state.match ?? {};
      const handler = handlers.get(`${route?.method} ${route?.path}`);
      if (handler === undefined) return next();
      request.params = {};
      try {
        for (const name in parameters) request.params[name] = decodeURIComponent(parameters[name] ?? '');
      } catch (error) {
        // A path that cannot be decoded is an unknown one, for the log too.
        delete state.match;
        throw error;
      }
      request.route = route;
      return handler(request, response, next);
    };
    for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
      const add = (path: string, handler: RequestHandler): void => {
        // Nest adds the middleware of all modules before the first route.
        if (handlers.size === 0) this.use(serve);
        handlers.set(`${method.toUpperCase()} ${path}`, handler);
      };
      Object.assign(this, { [method]: add });
    }
  }

  override reply(response: Response, value: unknown, status?: number): unknown {
    const content = this.writer === undefined ? value : this.writer.contentOf(response, value);
    const { idempotentRequest } = requestState(response);
    if (idempotentRequest === undefined) return this.send(response, content, value, status);
    return idempotentRequest.save(content).then(() => this.send(response, content, value, status));
  }

  private send(response: Response, content: unknown, value: unknown, status?: number): unknown {
    if (content === NOT_MODIFIED) return response.status(304).end();
    // JSON needs none of Express's checks.
    if (typeof content !== 'string' || content === value) {
      // Only responses with an entity tag answer 304. If the header is `*`, Express
      // does it for all responses.
      delete response.req.headers['if-none-match'];
      return super.reply(response, content, status) as unknown;
    }
    const body = content.length < MIN_BUFFERED_LENGTH ? content : Buffer.from(content);
    if (response.req.method !== 'HEAD') return response.end(body);
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return response.end();
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    const serve: RequestListener = (request, response) => {
      const connection = this.connections.get(request.socket);
      if (connection === undefined || connection.isEnding) return;
      // Node reads thousands of requests at once, before any of them has its response.
      if (connection.pending === MAX_PENDING) {
        connection.isEnding = true;
        request.socket.destroy();
        return;
      }
      notePending(connection, response);
      const malformed = refusalOfMalformed(request);
      if (malformed !== undefined) (response as Response).locals = { malformed };
      if (this.isDraining) makeLast(response);
      connection.isEnding = this.isDraining || malformed?.headers['Connection'] === 'close';
      application(request, response);
    };
    // Node would refuse a request without `Host` by itself, out of order on its connection.
    const options = { connectionsCheckingInterval: CHECK_INTERVAL, requireHostHeader: false };
    const server = createServer(options, serve);
    // A server may ignore an unknown expectation (RFC 9110, section 10.1.1). Node would answer 417 by itself.
    server.on('checkExpectation', serve);
    server.on('connection', (socket) => this.admit(socket));
    server.on('clientError', (error, socket) => this.refuseUnreadable(error, socket as Socket));
    const timer = setInterval(() => this.endStalled(), CHECK_INTERVAL).unref();
    server.once('close', () => clearInterval(timer));
    this.httpServer = server;
  }

  /**
   * Makes every further response the last of its connection, so that its client sends
   * the next request elsewhere.
   */
  drain(): void {
    this.isDraining = true;
    for (const connection of this.connections.values()) {
      if (connection.newest === undefined) continue;
      makeLast(connection.newest);
      connection.isEnding = true;
    }
  }

  /** Accepts no more connections and waits for the running responses, at most the given milliseconds. */
  async closeWithin(milliseconds: number): Promise<void> {
    this.drain();
    const server = this.httpServer as Server;
    const closed = once(server, 'close');
    const cutOff = setTimeout(() => server.closeAllConnections(), milliseconds);
    await allAccepted(server);
    server.close();
    // Node does not count a connection as idle before its first request, or while it has sent
    // only a part of its headers.
    const cutSilent = setTimeout(() => {
      for (const [socket, { pending }] of this.connections) {
        if (pending === 0 && !socket.writableEnded) socket.destroy();
      }
    }, FIRST_REQUEST_TIMEOUT);
    await closed;
    for (const timer of [cutOff, cutSilent]) clearTimeout(timer);
  }

  /** A connection without an address is that of a client who has gone already: nothing of it is served. */
  private admit(socket: Socket): void {
    const address = normalisedAddress(socket.remoteAddress ?? '');
    if (address === undefined) return void socket.destroy();
    noteAddress(socket, address);
    const connection: Connection = {
      pending: 0,
      behind: [],
      since: performance.now(),
      newest: undefined,
      isEnding: false,
    };
    this.connections.set(socket, connection);
    socket.once('close', () => {
      this.connections.delete(socket);
      connection.behind.forEach(endUnsent);
    });
  }

  /** Ends a connection because of bytes that are not a request. */
  private refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.connections.get(socket);
    const current = connection?.newest;
    if (
      connection !== undefined &&
      current !== undefined &&
      current.req.complete &&
      !current.headersSent &&
      socket.writable
    ) {
      // The client would take a refusal for the response to the complete request before these bytes.
      makeLast(current);
      connection.isEnding = true;
      return;
    }
    if (socket.writable && current?.headersSent !== true) {
      const refusal = refusalOfUnreadable(error);
      const requestId = current === undefined ? randomUUID() : requestState(current as Response).id;
      socket.write(responseWithout(refusal, requestId));
      if (current === undefined) this.onUnreadable(refusal, requestId);
      else noteRefusal(current as Response, refusal);
    }
    socket.destroySoon();
  }

  /**
   * Node's own timeout starts again with every byte from a client. This one also ends the response of a
   * client that keeps sending but reads nothing, and frees its memory.
   */
  private endStalled(): void {
    const limit = performance.now() - this.responseTimeout;
    for (const [socket, { pending, since }] of this.connections)
      if (pending > 0 && since < limit) socket.destroy();
  }
}

/**
 * Resolves when no connection waits to be accepted, or after five seconds. The system has connected
 * the waiting clients already, and closing the listener would reset them. Node accepts one
 * connection per turn of its event loop, and a signal arrives in the middle of a turn, so this waits
 * for a few turns without a new one.
 */
async function allAccepted(server: Server): Promise<void> {
  let quietTurns = 0;
  const reset = (): void => void (quietTurns = 0);
  server.on('connection', reset);
  for (const end = performance.now() + ACCEPT_TIMEOUT; quietTurns < QUIET_TURNS && performance.now() < end;) {
    quietTurns++;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function makeLast(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close');
    return;
  }
  const { socket } = response;
  response.once('finish', () => socket?.end());
}

function notePending(connection: Connection, response: ServerResponse): void {
  if (connection.pending === 0) connection.since = performance.now();
  connection.pending++;
  connection.newest = response;
  response.once('close', () => {
    connection.pending--;
    if (connection.behind.length > 0) connection.behind = connection.behind.filter((one) => one !== response);
    if (connection.newest === response) connection.newest = undefined;
  });
  if (response.socket === null) connection.behind = [...connection.behind, response];
}

/**
 * Closes a response that never came to its turn, when its connection has closed. Node tells that only to the
 * response whose turn it is.
 */
function endUnsent(response: ServerResponse): void {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
}

/** For the log and the metrics. */
function noteRefusal(response: Response, { status, reason }: ApiError): void {
  response.statusCode = status;
  requestState(response).reason = reason;
}
