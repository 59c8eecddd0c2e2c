import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Steps of `server.timeout` that make up the limit. A connection may exceed it by one step. */
const STEPS = 12;

interface Silence {
  readonly steps: number;
  /** When its last step ended, in milliseconds of `performance.now()`. */
  readonly end: number;
  /** Bytes that have arrived and left. A write that the system has taken in part does not count yet. */
  readonly bytes: number;
}

/**
 * Closes connections with a running request on which no byte moves in either direction
 * for the given milliseconds.
 *
 * Small steps make up that time because Node's timeout starts again, without an event, when the system has
 * taken a part of a write since the last one: a client that stops reading there would have its time twice.
 */
export function closeSilent(server: Server, limit: number): void {
  const silences = new WeakMap<Socket, Silence>();
  server.timeout = limit / STEPS;
  server.on('timeout', (socket: Socket) => {
    const { timeout = 0 } = socket;
    // It is the timeout between two requests.
    if (timeout !== server.timeout) return socket.destroy();
    const end = performance.now();
    const bytes = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    const last = silences.get(socket);
    const goesOn = last?.bytes === bytes && end - last.end < 1.5 * timeout;
    const steps = goesOn ? last.steps + 1 : 1;
    if (steps >= STEPS) return socket.destroy();
    silences.set(socket, { steps, end, bytes });
    return socket.setTimeout(timeout);
  });
}
