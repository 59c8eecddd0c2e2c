import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A message as it came. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** What a receiver answers. */
interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** Never ends its body. */
  readonly isEndless?: boolean;
}

/** Receives webhooks over HTTP on 127.0.0.1. */
export interface Receiver {
  readonly url: string;
  readonly messages: ReceivedMessage[];
  /** From now on; `hang` leaves messages without an answer. Default: 204. */
  answer: ReceiverAnswer | 'hang';
  /** Connections so far. */
  connections: number;
  /** Messages that it takes on one connection. It closes the connection when a further one comes. */
  maxOnConnection: number;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const taken = new WeakMap<Socket, number>();
  const server = createServer((request, response) => {
    const { socket } = request;
    taken.set(socket, (taken.get(socket) ?? 0) + 1);
    if ((taken.get(socket) ?? 0) > receiver.maxOnConnection) {
      socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      receiver.messages.push({
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text) as ReceivedMessage['body'],
      });
      if (receiver.answer === 'hang') return;
      const { status, headers = {}, text: answered = '', isEndless = false } = receiver.answer;
      response.writeHead(status, headers).write(answered);
      if (!isEndless) response.end();
    });
  });
  server.on('connection', () => (receiver.connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    messages: [],
    answer: { status: 204 },
    connections: 0,
    maxOnConnection: Infinity,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Starts receivers, which stop after each test. */
export function useReceivers(): (answer?: Receiver['answer']) => Promise<Receiver> {
  const started: Receiver[] = [];
  afterEach(async () => {
    for (const receiver of started.splice(0)) await receiver.stop();
  });
  return async (answer = { status: 204 }) => {
    const receiver = Object.assign(await startReceiver(), { answer });
    started.push(receiver);
    return receiver;
  };
}
