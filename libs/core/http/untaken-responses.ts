import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between two looks at the responses under way: by so much they may outlive their time. */
const LOOK_INTERVAL = 5000;

/** The part of a socket that counts what the system has not taken yet, which Node's own time-out looks at too. */
interface SocketHandle {
  readonly writeQueueSize?: number;
}

/** What of a response waited for its client at the last look. */
interface Waiting {
  readonly left: string;
  readonly since: number;
}

/**
 * Ends connections whose client takes no byte of its response for as long as the server lets connections idle. Node's own
 * time-out starts anew with whatever a client sends: one that only asks on and on would keep its response, and all that
 * the service holds for it.
 */
export class UntakenResponses {
  private readonly waiting = new WeakMap<ServerResponse, Waiting>();

  watch(server: Server, underWay: ReadonlySet<ServerResponse>): void {
    const timer = setInterval(() => {
      for (const response of underWay) this.look(response, server.timeout);
    }, LOOK_INTERVAL).unref();
    server.once('close', () => clearInterval(timer));
  }

  private look(response: ServerResponse, patience: number): void {
    const { socket } = response;
    const left = socket === null ? undefined : leftOf(socket);
    const before = this.waiting.get(response);
    if (socket === null || left === undefined) this.waiting.delete(response);
    else if (before?.left !== left) this.waiting.set(response, { left, since: performance.now() });
    else if (patience > 0 && performance.now() - before.since >= patience) socket.destroy();
  }
}

/** What has gone out and what waits, as one text; undefined where nothing waits for the client. */
function leftOf(socket: Socket): string | undefined {
  const { _handle: handle } = socket as unknown as { readonly _handle: SocketHandle | null };
  const queued = handle?.writeQueueSize ?? 0;
  if (queued === 0 && socket.writableLength === 0) return undefined;
  return `${socket.bytesWritten} ${socket.writableLength} ${queued}`;
}
