import ipaddr from 'ipaddr.js';
import { AddressList } from './address-list';
import { parseIpAddress, unmapped } from './ip-address';

/** Stands for a connection that has closed before its address was read; no client can have it. */
export const UNKNOWN_ADDRESS = '0.0.0.0';

/** Bits of an address that one customer of an access provider typically holds: attempts are counted per such network. */
const NETWORK_BITS = { ipv4: 24, ipv6: 64 } as const;

/**
 * The canonical text of an address (RFC 5952 for IPv6): IPv4-mapped IPv6 becomes IPv4, the zone index of a socket's
 * link-local address is dropped. Undefined for anything that is not an address.
 */
export function normalisedAddress(text: string): string | undefined {
  const address = parseIpAddress(text.replace(/%.*$/s, ''));
  return address && unmapped(address).toString();
}

/**
 * The address of the client, normalised. `X-Forwarded-For` counts only as far as trusted proxies wrote it: the walk
 * goes from the connection leftwards through the header and stops at the first address that is no trusted proxy.
 * Where all are trusted it is the leftmost; where the walk meets something that is no address, the connection's own.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  xForwardedFor: string | readonly string[] | undefined,
  trustedProxies: AddressList,
): string {
  const connection = normalisedAddress(remoteAddress ?? '') ?? UNKNOWN_ADDRESS;
  const header = typeof xForwardedFor === 'string' ? xForwardedFor : (xForwardedFor ?? []).join(',');
  if (header.trim() === '') return connection;

  let client = connection;
  for (const hop of header.split(',').reverse()) {
    if (!trustedProxies.includes(client)) return client;
    const address = normalisedAddress(hop.trim());
    if (address === undefined) return connection;
    client = address;
  }
  return client;
}

/**
 * What one subscriber of an access provider can send from at will: the address itself, or for IPv6 its /64 network,
 * whose addresses it may change with every call.
 */
export const subscriberOf = (address: string): string =>
  address.includes(':') ? networkOf(address) : address;

/** The network of a normalised address: `192.0.2.0/24`, `2001:db8::/64`. */
export function networkOf(address: string): string {
  const parsed = parseIpAddress(address);
  if (!parsed) throw new RangeError('networkOf needs a normalised address');
  const plain = unmapped(parsed);
  const bits = NETWORK_BITS[plain.kind()];
  const network =
    plain.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${plain.toString()}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${plain.toString()}/${bits}`);
  return `${network.toString()}/${bits}`;
}
