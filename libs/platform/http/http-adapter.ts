import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler, Response } from 'express';
import type { AddressList } from '@app/formats/ip-address';
import { requestState } from '../context/request-state';
import type { ApiError } from '../errors/api-error';
import { ConnectionShares } from './connection-shares';
import { expressMessages } from './express-messages';
import { refusalOfMalformed, refusalOfUnreadable, responseWithout } from './malformed-request';
import { skipBody, stopParsingUnless } from './node-parser';
import { RequestTurns } from './request-turns';
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

/** Maximum requests of one connection without a response. Clients and proxies that pipeline send fewer. */
const MAX_PIPELINED = 8;

/**
 * Responses with this many characters are sent as bytes. Node would join a text with its headers and reserve
 * three bytes for each character until the client has read it.
 */
const MIN_BUFFERED_LENGTH = 65_536;

interface Connection {
  /** Incomplete responses in order of arrival. The first one is being served. */
  readonly owed: ServerResponse[];
  /**
   * When the turn of the first response came, or the last response ended, in
   * milliseconds of `performance.now()`.
   */
  since: number;
  /** Bytes that had arrived with its last request, and the number of requests that arrived with them. */
  bytes: number;
  requests: number;
  /** The bytes after its requests are not HTTP, so the running response is the last. */
  isBroken: boolean;
}

/** Express on our own HTTP server, which limits connections and stops without losing a request. */
export class HttpAdapter extends ExpressAdapter {
  /** Milliseconds after which a response ends with its connection, even if incomplete. */
  responseTimeout = 600_000;
  /**
   * Maximum open connections. Node's own limit would refuse a connection before
   * another could make room for it.
   */
  maxConnections = Infinity;
  /** Called for each refusal of bytes that are not a request. */
  onUnreadable: (refusal: ApiError, requestId: string) => void = () => undefined;
  /**
   * Connections by their sockets. No Map or Set has requests or responses as keys: V8 makes a new table
   * after some dozen entries, the old table keeps its entries alive, and they took a third of the
   * garbage collector's work.
   */
  private readonly connections = new Map<Socket, Connection>();
  private readonly shares: ConnectionShares;
  private readonly turns = new RequestTurns();
  private isDraining = false;
  private writer: ResponseWriter | undefined;

  constructor(trustedProxies: AddressList) {
    super();
    this.shares = new ConnectionShares(trustedProxies);
  }

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
    requestState(response).headers.push('Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(response.statusCode);
    return response.req.method === 'HEAD' ? response.end() : response.end(body);
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    const serve: RequestListener = (request, response) => {
      const malformed = refusalOfMalformed(request);
      if (malformed !== undefined) (response as Response).locals = { malformed };
      application(request, response);
    };
    const take: RequestListener = (request, response) => this.inTurn(request.socket, response, serve);
    const server = createServer(
      // Node would refuse a request without `Host` by itself, out of order on its connection.
      {
        connectionsCheckingInterval: CHECK_INTERVAL,
        requireHostHeader: false,
        ...expressMessages(application),
      },
      take,
    );
    // A server may ignore an unknown expectation (RFC 9110, section 10.1.1). Node would answer 417 by itself.
    server.on('checkExpectation', take);
    server.on('connection', (socket) => {
      this.turns.noteAccepted();
      const since = performance.now();
      const connection: Connection = { owed: [], since, bytes: 0, requests: 0, isBroken: false };
      if (!this.shares.admit(socket, connection, this.maxConnections)) {
        socket.destroy();
        return;
      }
      this.connections.set(socket, connection);
      socket.once('close', () => this.connections.delete(socket));
      stopParsingUnless(() => takesRequest(socket, connection), socket);
    });
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
    for (const {
      owed: [response],
    } of this.connections.values())
      if (response !== undefined) makeLast(response);
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
      for (const [socket, { owed }] of this.connections) {
        if (owed.length === 0 && !socket.writableEnded) socket.destroy();
      }
    }, FIRST_REQUEST_TIMEOUT);
    await closed;
    for (const timer of [cutOff, cutSilent]) clearTimeout(timer);
  }

  /**
   * Serves the requests of one connection one after another. Node parses pipelined requests at once and sends
   * their responses in order; if the connection breaks, it closes only the response whose turn it is. A
   * request that waits here has started nothing, so nothing needs to be closed.
   */
  private inTurn(socket: Socket, response: ServerResponse, serve: RequestListener): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    const { owed } = connection;
    owed.push(response);
    response.on('close', () => {
      owed.shift();
      if (!response.req.complete) skipBody(socket);
      const [next] = owed;
      if (next === undefined) connection.since = performance.now();
      // If the socket is not writable, the connection has ended or is ending, and the client
      // would not get the response.
      if (next?.socket?.writable === true) this.begin(connection, next, serve);
    });
    if (owed.length === 1) this.begin(connection, response, serve);
  }

  private begin(connection: Connection, response: ServerResponse, serve: RequestListener): void {
    if (this.isDraining) makeLast(response);
    connection.since = performance.now();
    this.turns.run(() => {
      // The client may have gone meanwhile.
      if (!response.destroyed) serve(response.req, response);
    });
  }

  /**
   * Ends a connection because of bytes that are not a request. A complete request
   * before them is answered first.
   */
  private refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.connections.get(socket);
    const current = connection?.owed[0];
    // Sends no refusal: the client would take it for the response to the complete request.
    if (connection !== undefined && current?.req.complete === true && socket.writable) {
      // Every later byte causes the same error again.
      if (!connection.isBroken) makeLast(current);
      connection.isBroken = true;
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
    for (const { owed, since } of this.connections.values()) if (since < limit) owed[0]?.destroy();
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

/**
 * Whether a connection may send a request. A connection is closed if it has too many incomplete responses, or
 * sends too many requests at once: with bodies, Node can end each response before it parses the next request.
 */
function takesRequest(socket: Socket, connection: Connection): boolean {
  // The connection is ending: the client would not get the response.
  if (!socket.writable) return false;
  const { bytesRead } = socket;
  connection.requests = bytesRead === connection.bytes ? connection.requests + 1 : 1;
  connection.bytes = bytesRead;
  if (connection.requests <= MAX_PIPELINED && connection.owed.length < MAX_PIPELINED) return true;
  socket.destroy();
  return false;
}

/** For the log and the metrics. */
function noteRefusal(response: Response, { status, reason }: ApiError): void {
  response.statusCode = status;
  requestState(response).reason = reason;
}
