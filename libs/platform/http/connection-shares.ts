import type { Socket } from 'node:net';
import { noteAddress } from '../context/client-addresses';
import { type AddressList, networkOf, normalisedAddress, subscriberOf } from '../addresses/ip-address';

/** The part of a process's connections that one subscriber may hold. */
const SUBSCRIBER_SHARE = 1 / 4;

/** That of the wider IPv6 networks, one of which may be a single customer's, and their prefix lengths. */
const NETWORK_SHARE = 1 / 2;
const NETWORK_BITS = [48, 56] as const;

/** The present state of a connection. */
interface ConnectionUse {
  /** Responses that are not complete yet; an idle connection has none. */
  readonly owed: readonly unknown[];
  /** Since when it has been idle, or has served its first response, in milliseconds of `performance.now()`. */
  readonly since: number;
}

/** A subscriber or network with connections. */
interface Holder {
  readonly key: string;
  readonly share: number;
  held: number;
}

interface Place {
  readonly socket: Socket;
  readonly use: ConnectionUse;
  /** From the widest network to the subscriber; none for a trusted proxy. */
  readonly holders: readonly Holder[];
}

/**
 * Admits connections whose address is known, each subscriber up to its share. Where all places are taken, the holder of most
 * gives up the connection that has been idle longest.
 */
export class ConnectionShares {
  private readonly places = new Set<Place>();
  private readonly holders = new Map<string, Holder>();

  /** @param trustedProxies their connections are those of many clients: they have no share and make no room */
  constructor(private readonly trustedProxies: AddressList) {}

  /**
   * Keeps the address of a new connection. False if the client has disconnected already or holds its share of `most`, or if no
   * connection is idle where all are taken.
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
    return [
      ...networks.map((key) => this.holders.get(key) ?? { key, share: NETWORK_SHARE, held: 0 }),
      ...[subscriberOf(address)].map(
        (key) => this.holders.get(key) ?? { key, share: SUBSCRIBER_SHARE, held: 0 },
      ),
    ];
  }

  /** Looks at every connection once. For 2,000 that takes a tenth of a millisecond, about as long as to accept a connection. */
  private makeRoom(): boolean {
    let first: Place | undefined;
    for (const place of this.places) {
      const isIdle = place.use.owed.length === 0 && place.holders.length > 0;
      if (isIdle && (first === undefined || givesWayBefore(place, first))) first = place;
    }
    if (first === undefined) return false;
    this.release(first);
    first.socket.destroy();
    return true;
  }

  private release(place: Place): void {
    if (!this.places.delete(place)) return;
    for (const holder of place.holders) if (--holder.held === 0) this.holders.delete(holder.key);
  }
}

/** Compares the widest networks first: within the one that holds most, its own subscriber that holds most gives way. */
function givesWayBefore({ use, holders }: Place, other: Place): boolean {
  for (let index = 0; index < holders.length; index++) {
    const held = holders[index]?.held;
    const ofOther = other.holders[index]?.held;
    if (held !== undefined && ofOther !== undefined && held !== ofOther) return held > ofOther;
  }
  return use.since < other.use.since;
}
