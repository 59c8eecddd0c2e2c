import { createHash } from 'node:crypto';
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { ServerAddress } from './addresses';
import { type Answer, COUNTED_HEADERS, type Result } from './answers';

/** A request to one server. */
export interface Call {
  readonly method: string;
  /** Path on the server, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Whether it may be sent again over another connection: a write is sent once. */
  readonly isRead: boolean;
}

/** Bytes of an answer that are held to be compared by fields; of larger ones there is a digest. */
const MOST_HELD = 8 * 1024 * 1024;

const SECOND = 1000;

/** The failure of a read that was given up. */
export const GIVEN_UP = 'given up';

/** Speaks to one server, and follows no redirect. */
export class Client {
  private readonly agent: HttpAgent | HttpsAgent;
  private readonly isSecure: boolean;
  /** Ends each read that has no answer yet. One signal for all would keep something of every request. */
  private readonly reads = new Set<(why: string) => void>();

  constructor(
    private readonly address: ServerAddress,
    private readonly timeoutSeconds: number,
    connections: number,
  ) {
    this.isSecure = address.origin.startsWith('https:');
    const options = { keepAlive: true, maxSockets: connections };
    this.agent = this.isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** An answer, or why there is none. */
  async send(call: Call): Promise<Result> {
    const first = await this.sendOnce(call);
    // A server may close a kept connection at the moment of a request.
    return first.isStale && call.isRead ? (await this.sendOnce(call)).result : first.result;
  }

  /** Gives up the reads that have no answer yet; whether a write was done would stay unknown. */
  giveUpReads(): void {
    for (const end of this.reads) end(GIVEN_UP);
  }

  close(): void {
    this.agent.destroy();
  }

  private async sendOnce(call: Call): Promise<{ readonly result: Result; readonly isStale: boolean }> {
    const begin = performance.now();
    const request = (this.isSecure ? httpsRequest : httpRequest)(this.address.origin, {
      agent: call.isRead ? this.agent : false,
      method: call.method,
      path: call.path,
      headers: { ...call.headers, ...lengthOf(call) },
    });
    let ended: string | undefined;
    const end = (why: string): void => {
      ended ??= why;
      request.destroy(new Error(why));
    };
    const timer = setTimeout(end, this.timeoutSeconds * SECOND, `nothing within ${this.timeoutSeconds} s`);
    if (call.isRead) this.reads.add(end);
    const told = (error: unknown): string => ended ?? reasonOf(error);
    try {
      const response = await answerTo(request, call.body);
      const content = await contentOf(response, call.method, told);
      const milliseconds = performance.now() - begin;
      const { statusCode: status = 0 } = response;
      return { result: { status, headers: headersOf(response), ...content, milliseconds }, isStale: false };
    } catch (error) {
      request.destroy();
      const isStale = request.reusedSocket && ended === undefined;
      return { result: { failure: told(error), milliseconds: performance.now() - begin }, isStale };
    } finally {
      clearTimeout(timer);
      this.reads.delete(end);
    }
  }
}

const answerTo = (request: ClientRequest, body: Call['body']): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays: a late error of the connection also ends the body, where it is told.
    request.on('error', reject);
    request.end(body);
  });

const lengthOf = ({ body, method }: Call): Record<string, string> => {
  if (body !== undefined) return { 'content-length': String(Buffer.byteLength(body)) };
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' };
};

/** Codes say what happened; texts of errors may hold addresses and more. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message;
  return /CERT|SELF_SIGNED|ALTNAME/.test(code)
    ? `${code} (NODE_EXTRA_CA_CERTS names a file of authorities)`
    : code;
}

function headersOf({ headers }: IncomingMessage): Answer['headers'] {
  const names = COUNTED_HEADERS.map((name) => name.toLowerCase());
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    }),
  );
}

type Content = Pick<Answer, 'body' | 'size' | 'digest' | 'broken'>;

async function contentOf(
  response: IncomingMessage,
  method: string,
  told: (error: unknown) => string,
): Promise<Content> {
  const body = unpacked(response, method);
  const whole = createHash('sha256');
  let pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      const bytes = piece as Buffer;
      size += bytes.length;
      whole.update(bytes);
      if (size <= MOST_HELD) pieces.push(bytes);
      else pieces = [];
    }
    if (!response.complete) return { size, broken: 'cut off' };
  } catch (error) {
    return { size, broken: told(error) };
  } finally {
    response.destroy();
  }
  return size <= MOST_HELD ? { size, body: Buffer.concat(pieces) } : { size, digest: whole.digest('hex') };
}

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body without its coding; some servers pack whatever was asked for. */
function unpacked(response: IncomingMessage, method: string): Readable {
  const decoder = DECODERS[response.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  const { statusCode } = response;
  const hasNoBody = method === 'HEAD' || statusCode === 204 || statusCode === 304;
  if (decoder === undefined || hasNoBody || response.headers['content-length'] === '0') return response;
  const output = decoder();
  // Its end is told by whoever reads the output.
  return pipeline(response, output, () => undefined);
}
