import type { Socket } from 'node:net';
import type { AddressList } from './ip-address';
import { normalisedAddress, subscriberOf } from './ip-address';

/** The part of a process's connections that one subscriber may hold. */
const SHARE = 1 / 4;

const addresses = new WeakMap<Socket, string>();

/** The normalised address at the other end of an admitted connection, also once the connection has ended. */
export function addressOf(socket: Socket): string {
  const address = addresses.get(socket);
  if (address === undefined) throw new Error('A connection was served without being admitted');
  return address;
}

/** Admits connections whose address is known, each subscriber up to its share. */
export class ConnectionShares {
  /** Open connections by subscriber. */
  private readonly held = new Map<string, number>();

  /** @param trustedProxies their connections are those of many clients and have no share */
  constructor(private readonly trustedProxies: AddressList) {}

  /** Keeps the address of a new connection. False if the client has gone already or holds its share of `most`. */
  admit(socket: Socket, most: number): boolean {
    const address = normalisedAddress(socket.remoteAddress ?? '');
    if (address === undefined) return false;
    addresses.set(socket, address);
    if (this.trustedProxies.includes(address)) return true;
    const subscriber = subscriberOf(address);
    const held = this.heldBy(subscriber);
    if (held >= most * SHARE) return false;
    this.held.set(subscriber, held + 1);
    socket.once('close', () => this.release(subscriber));
    return true;
  }

  private release(subscriber: string): void {
    const left = this.heldBy(subscriber) - 1;
    if (left === 0) this.held.delete(subscriber);
    else this.held.set(subscriber, left);
  }

  private heldBy = (subscriber: string): number => this.held.get(subscriber) ?? 0;
}
