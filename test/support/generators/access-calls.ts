import { Agent, request } from 'node:http';

/** A request to the byte. */
export interface Call {
  readonly method: string;
  /** The path with `/v1`. It is sent unchanged: no client in between normalises it. */
  readonly path: string;
  readonly hash?: string | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response, not interpreted. */
export interface WireResponse {
  readonly status: number;
  /** The body as it came. */
  readonly text: string;
  /** The reason of an error body, otherwise undefined. */
  readonly reason: string | undefined;
}

/** Speaks plain HTTP on kept connections: thousands of calls, and paths that no other client would send. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(private readonly url: string) {}

  send({ method, path, hash, body, headers }: Call): Promise<WireResponse> {
    const { hostname, port } = new URL(this.url);
    const content = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.agent,
          hostname,
          port,
          method,
          path,
          headers: {
            ...(hash !== undefined && { authorization: hash }),
            ...(content !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(content),
            }),
            ...headers,
          },
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(parts).toString();
            resolve({ status: incoming.statusCode ?? 0, text, reason: reasonIn(text) });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(content);
    });
  }

  /** Sends all of them, eight at a time; responses come in the order of the calls. */
  async sendAll(calls: readonly Call[]): Promise<WireResponse[]> {
    const responses: WireResponse[] = [];
    let next = 0;
    const sender = async (): Promise<void> => {
      for (let index = next++; index < calls.length; index = next++) {
        responses[index] = await this.send(calls[index] as Call);
      }
    };
    await Promise.all(Array.from({ length: 8 }, sender));
    return responses;
  }

  close(): void {
    this.agent.destroy();
  }
}

function reasonIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { reason?: string } | null)?.reason;
  } catch {
    return undefined;
  }
}
