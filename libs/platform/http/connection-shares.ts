import type { Socket } from 'node:net';
import { type AddressList, networkOf, normalisedAddress, subscriberOf } from '@app/formats/ip-address';
import { noteAddress } from '../context/client-addresses';

/** The share of a process's connections that one subscriber may use. */
const SUBSCRIBER_SHARE = 1 / 4;

/**
 * The share of a wider IPv6 network, which may belong to a single customer, and the prefix
 * lengths of such networks.
 */
const NETWORK_SHARE = 1 / 2;
const NETWORK_BITS = [48, 56] as const;

/** The present state of a connection. */
interface ConnectionUse {
  /** Incomplete responses; an idle connection has none. */
  readonly owed: readonly unknown[];
  /** When it became idle, or began its first incomplete response, in milliseconds of `performance.now()`. */
  readonly since: number;
}

/** A subscriber or network with connections. */
interface Holder {
  readonly key: string;
  readonly share: number;
  held: number;
}

interface AdmittedConnection {
  readonly socket: Socket;
  readonly use: ConnectionUse;
  /** From the widest network to the subscriber; none for a trusted proxy. */
  readonly holders: readonly Holder[];
}

/**
 * Admits connections with a known address, each subscriber up to its share. If all places are taken, the
 * subscriber or network with the most connections loses the one that has been idle longest.
 */
export class ConnectionShares {
  private readonly places = new Set<AdmittedConnection>();
  private readonly holders = new Map<string, Holder>();

  /**
   * @param trustedProxies their connections come from many clients, so they have no share and are
   * never closed to make room
   */
  constructor(private readonly trustedProxies: AddressList) {}

  /**
   * Stores the address of a new connection. False if the client has disconnected already or has its share of
   * `most`, or if all places are taken and no connection is idle.
   */
  admit(socket: Socket, use: ConnectionUse, most: number): boolean {
    const address = normalisedAddress(socket.remoteAddress ?? '');
    if (address === undefined) return false;
    noteAddress(socket, address);
    const holders = this.trustedProxies.includes(address) ? [] : this.holdersOf(address);
    if (holders.some(({ held, share }) => held >= most * share)) return false;
    if (this.places.size >= most && !this.makeRoom()) return false;
    const place = { socket, use, holders };
    this.places.add(place);
    for (const holder of holders) {
      holder.held++;
      this.holders.set(holder.key, holder);
    }
    socket.once('close', () => this.release(place));
    return true;
  }

  private holdersOf(address: string): Holder[] {
    const networks = address.includes(':') ? NETWORK_BITS.map((bits) => networkOf(address, bits)) : [];
    const known = (key: string, share: number): Holder => this.holders.get(key) ?? { key, share, held: 0 };
    return [
      ...networks.map((key) => known(key, NETWORK_SHARE)),
      known(subscriberOf(address), SUBSCRIBER_SHARE),
    ];
  }

  /**
   * Checks every connection once. For 2,000 that takes a tenth of a millisecond, about as long
   * as accepting a connection.
   */
  private makeRoom(): boolean {
    let first: AdmittedConnection | undefined;
    for (const place of this.places) {
      const isIdle = place.use.owed.length === 0 && place.holders.length > 0;
      if (isIdle && (first === undefined || givesWayBefore(place, first))) first = place;
    }
    if (first === undefined) return false;
    this.release(first);
    first.socket.destroy();
    return true;
  }

  private release(place: AdmittedConnection): void {
    if (!this.places.delete(place)) return;
    for (const holder of place.holders) if (--holder.held === 0) this.holders.delete(holder.key);
  }
}

/**
 * Compares the widest networks first. Within the network with the most connections, the
 * subscriber with the most gives way.
 */
function givesWayBefore({ use, holders }: AdmittedConnection, other: AdmittedConnection): boolean {
  for (let index = 0; index < holders.length; index++) {
    const held = holders[index]?.held;
    const ofOther = other.holders[index]?.held;
    if (held !== undefined && ofOther !== undefined && held !== ofOther) return held > ofOther;
  }
  return use.since < other.use.since;
}
