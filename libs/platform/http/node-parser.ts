import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Pieces of a body that pass unchanged. Most bodies have one piece. */
const MAX_SINGLE_PIECES = 16;
/** Further pieces with fewer bytes are collected; the maximum number of collected bytes. */
const SMALL_PIECE = 1024;
const GATHERED_BYTES = 8192;
/**
 * Maximum small pieces in one read of a connection. Each costs a microsecond, and 64 kB contain ten thousand
 * of one byte: pieces of 100 connections delayed all other requests by a second.
 */
const MAX_AT_ONCE = 1000;

/**
 * A request whose body takes about as much memory as it has bytes. Node makes a buffer of each
 * chunk, which takes 300 bytes for one byte: bodies in such chunks, 64 kB of each connection, used
 * up the memory of a process.
 *
 * Check at an upgrade of Node:
 * - `lib/_http_common.js`: `parserOnBody` and `parserOnMessageComplete` call `push`.
 * - `src/node_http_parser.cc`: `kOnBody` is 3, and `on_body` does nothing without such a function.
 */
export class BufferingRequest extends IncomingMessage {
  private pieces = 0;
  private gathered: Buffer | undefined;
  private length = 0;
  private bytesRead = 0;
  private atOnce = 0;

  /** Node calls it for each piece of the body, and with null at the end. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null || ++this.pieces <= MAX_SINGLE_PIECES || piece.length >= SMALL_PIECE) {
      this.passOn();
      return super.push(piece, encoding);
    }
    if (this.isFlood()) return true;
    if (this.length + piece.length > GATHERED_BYTES) this.passOn();
    this.gathered ??= Buffer.allocUnsafe(GATHERED_BYTES);
    this.length += piece.copy(this.gathered, this.length);
    return true;
  }

  /** Ends the connection if too many pieces have arrived at once. */
  private isFlood(): boolean {
    const { bytesRead } = this.socket;
    this.atOnce = bytesRead === this.bytesRead ? this.atOnce + 1 : 1;
    this.bytesRead = bytesRead;
    if (this.atOnce <= MAX_AT_ONCE) return false;
    skipBody(this.socket);
    this.socket.destroy();
    return true;
  }

  private passOn(): void {
    if (this.gathered === undefined) return;
    super.push(this.gathered.subarray(0, this.length));
    this.gathered = undefined;
    this.length = 0;
  }
}

/** The value for an upgrade: llhttp then parses neither a body nor anything after it. */
const STOP = 2;

/** `HTTPParser.kOnBody` of Node. */
const ON_BODY = 3;

/** The parts of Node's parser that pass on a request after its headers, and the pieces of its body. */
interface Parser {
  onIncoming: (request: IncomingMessage, keepsAlive: boolean) => number;
  [ON_BODY]: ((piece: Buffer) => void) | undefined;
}

/** The parser is null once the socket is closed. */
type ParsedSocket = Socket & { readonly parser: Parser | null };

/** Drops the rest of the body. No code reads it, and each piece would cost as much as one that is read. */
export function skipBody(socket: Socket): void {
  const { parser } = socket as ParsedSocket;
  if (parser !== null) parser[ON_BODY] = undefined;
}

/**
 * Ends a connection at a request that it may not send, before the request costs more than its headers.
 *
 * Node parses everything that it has read from a connection, up to 64 kB, without a pause, and passes on each
 * request with a response. Neither `socket.destroy()` nor `socket.pause()` stops that, so thousands of
 * requests in one piece delayed all others.
 *
 * Check at an upgrade of Node, in `lib/_http_server.js` and `lib/_http_common.js`:
 * - `connectionListenerInternal` sets `socket.parser` and then `parser.onIncoming`, before any
 *   other `connection` listener.
 * - `parserOnHeadersComplete` returns what `parser.onIncoming` returns, and llhttp stops at 2.
 * - `freeParser` (`cleanParser`) clears `onIncoming` before another connection gets the parser.
 *
 * @param mayTake whether the connection may send the request whose headers have arrived
 */
export function stopParsingUnless(mayTake: () => boolean, socket: Socket): void {
  const { parser } = socket as ParsedSocket;
  if (parser === null) return;
  const { onIncoming, [ON_BODY]: onBody } = parser;
  const handOver = (): void => void (parser[ON_BODY] = onBody);
  // Node reuses the parser for another connection, so restore it.
  socket.once('close', handOver);
  parser.onIncoming = (request, keepsAlive) => {
    handOver();
    if (mayTake()) return onIncoming(request, keepsAlive);
    socket.destroy();
    return STOP;
  };
}
