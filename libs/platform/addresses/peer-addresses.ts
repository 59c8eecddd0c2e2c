import type { Socket } from 'node:net';

/** They survive the end of a connection, which a response may still ask for. */
const addresses = new WeakMap<Socket, string>();

/** Notes the normalised address of a connection that is admitted. */
export const noteAddress = (socket: Socket, address: string): void => void addresses.set(socket, address);

/** The normalised address at the other end of an admitted connection, also once the connection has ended. */
export function addressOf(socket: Socket): string {
  const address = addresses.get(socket);
  if (address === undefined) throw new Error('A connection was served without being admitted');
  return address;
}
