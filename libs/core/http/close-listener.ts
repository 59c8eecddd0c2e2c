import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Connections that may wait for the listener while it closes, less one. With fewer the system takes some for a flood. */
const BACKLOG = 8;
/** Milliseconds for all tries together; then the listener closes as it is. */
const TIME = 1000;
/** Milliseconds from one try to the next, in which whoever waits is taken. */
const PAUSE = 30;

/** The part of a server that Node has no public word for: to listen once more only changes how many may wait. */
interface ListenerHandle {
  readonly listen: (backlog: number) => number;
  /** Absent where another process listens (node:cluster). */
  readonly fd?: number;
}

/**
 * Closes the listener at a moment when the system holds no client's connection for it: to its client each of them is
 * made, and would be reset.
 *
 * Node takes one connection in a turn of its event loop, so all turns until one without any are waited for. Others may
 * come after that turn. On Linux connections of our own therefore take all places: whoever comes then is neither
 * connected nor refused, tries again a second later by itself, and is refused. Elsewhere some microseconds are left.
 */
export async function closeListener(server: Server): Promise<void> {
  const takeWaiting = taker(server);
  await takeWaiting();
  const address = limitBacklog(server);
  for (const end = performance.now() + TIME; server.listening;) {
    const plugs = address === undefined ? [] : await plugBacklog(address);
    const isOver = performance.now() > end;
    if (address === undefined || isOver || isFullOf(plugs, address.port)) server.close();
    for (const plug of plugs) plug.destroy();
    if (!server.listening) return;
    await pause(PAUSE);
    await takeWaiting();
  }
}

/** Gives a function that waits until Node has taken whoever waits for the listener. */
function taker(server: Server): () => Promise<void> {
  let taken = 0;
  const count = (): void => void taken++;
  server.on('connection', count).on('drop', count);
  return async () => {
    for (let before = -1; before !== taken;) {
      before = taken;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

/** Gives the address, if this process listens itself and the system tells who waits for it. */
function limitBacklog(server: Server): AddressInfo | undefined {
  const address = server.address();
  const { _handle: handle } = server as unknown as { readonly _handle: ListenerHandle | null };
  if (handle === null || (handle.fd ?? -1) < 0 || systemConnections() === undefined) return undefined;
  if (address === null || typeof address === 'string' || handle.listen(BACKLOG) !== 0) return undefined;
  return address;
}

/** Connects as often as the system lets connections wait; it has done so when this resolves. */
async function plugBacklog({ address, port }: AddressInfo): Promise<Socket[]> {
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  const plugs = Array.from({ length: BACKLOG + 1 }, () => connect(port, host).on('error', () => undefined));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  return plugs;
}

/** Whether all of these wait at the listener, so that there is room for no other, and nobody is half connected. */
function isFullOf(plugs: readonly Socket[], port: number): boolean {
  const lines = systemConnections() ?? '';
  const isThere = (remotePort: string, state: string): boolean =>
    new RegExp(`: \\w+:${hex(port)} \\w+:${remotePort} ${state} `).test(lines);
  const plugPorts = plugs.map((plug) => (plug.address() as Partial<AddressInfo>).port ?? 0);
  return plugPorts.every((own) => isThere(hex(own), '01')) && !isThere('\\w+', '03');
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** `<number>: <local address>:<port> <remote address>:<port> <state>` and more, a line each: 01 is connected, 03 half. */
function systemConnections(): string | undefined {
  // Without IPv6 there is but one.
  const tables = TABLES.filter((table) => existsSync(table));
  return tables.length === 0 ? undefined : tables.map((table) => readFileSync(table, 'latin1')).join('');
}
