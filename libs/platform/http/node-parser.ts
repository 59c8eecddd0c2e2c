import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Pieces of a body that pass as they are: most bodies have one. */
const MAX_SINGLE_PIECES = 16;
/** Bytes below which a further piece is gathered with its neighbours, and those that are gathered. */
const SMALL_PIECE = 1024;
const GATHERED_BYTES = 8192;
/**
 * Small pieces that one read of a connection may bring. Each costs a microsecond, and 64 kB hold ten thousand of one byte: those of
 * 100 connections kept everybody waiting for a second.
 */
const MAX_AT_ONCE = 1000;

/**
 * A request whose body takes about as much memory as it has bytes. Node makes a buffer of each chunk, which takes 300 bytes
 * for one: bodies in such chunks, 64 kB of each connection, used up the memory of a process.
 *
 * Check at an upgrade of Node:
 * - `lib/_http_common.js`: `parserOnBody` and `parserOnMessageComplete` call `push`.
 * - `src/node_http_parser.cc`: `kOnBody` is 3, and `on_body` does nothing where there is no such function.
 */
export class GatheringRequest extends IncomingMessage {
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

  /** Ends the connection where too many pieces have come at once. */
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

/** As for an upgrade: llhttp parses neither a body nor anything behind it. */
const STOP = 2;

/** `HTTPParser.kOnBody` of Node. */
const ON_BODY = 3;

/** The parts of Node's parser that hand over a request once its headers are read, and the pieces of its body. */
interface Parser {
  onIncoming: (request: IncomingMessage, keepsAlive: boolean) => number;
  [ON_BODY]: ((piece: Buffer) => void) | undefined;
}

/** Without a parser once it is closed. */
type ParsedSocket = Socket & { readonly parser: Parser | null };

/** Hands over no more of the body that comes in: nobody reads it, and each piece would cost as much as one that is read. */
export function skipBody(socket: Socket): void {
  const { parser } = socket as ParsedSocket;
  if (parser !== null) parser[ON_BODY] = undefined;
}

/**
 * Ends a connection at a request that it may not send, before the request costs anything but its headers.
 *
 * Node parses all that it has read of a connection, up to 64 kB, without a pause, and hands over each request with a response.
 * Neither `socket.destroy()` nor `socket.pause()` ends that, so thousands of requests in one piece kept everybody waiting.
 *
 * Check at an upgrade of Node, in `lib/_http_server.js` and `lib/_http_common.js`:
 * - `connectionListenerInternal` sets `socket.parser` and then `parser.onIncoming`, before any other `connection` listener.
 * - `parserOnHeadersComplete` returns what `parser.onIncoming` returns, and llhttp stops at 2.
 * - `freeParser` (`cleanParser`) forgets `onIncoming` before another connection gets the parser.
 *
 * @param mayTake whether the connection may send the request whose headers have come
 */
export function stopParsingUnless(mayTake: () => boolean, socket: Socket): void {
  const { parser } = socket as ParsedSocket;
  if (parser === null) return;
  const { onIncoming, [ON_BODY]: onBody } = parser;
  const handOver = (): void => void (parser[ON_BODY] = onBody);
  // Node uses the parser again for another connection.
  socket.once('close', handOver);
  parser.onIncoming = (request, keepsAlive) => {
    handOver();
    if (mayTake()) return onIncoming(request, keepsAlive);
    socket.destroy();
    return STOP;
  };
}
