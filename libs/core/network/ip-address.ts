import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const DOTTED_TAIL = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/**
 * Reads the usual notation only: four decimal parts, or IPv6 without a zone index. ipaddr.js would also take
 * octal, hexadecimal and shorter IPv4 forms, which other programs read as other addresses.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (isIPv6(text) && !text.includes('%')) return ipaddr.IPv6.parse(withHexTail(text));
  return undefined;
}

/** The same address as IPv4 where it is IPv4-mapped IPv6 (`::ffff:192.0.2.1`), which is how dual-stack sockets show it. */
export function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** `::1.2.3.4` is `::102:304`; ipaddr.js reads it as `::ffff:102:304`, which is the IPv4 address 1.2.3.4. */
function withHexTail(text: string): string {
  const match = DOTTED_TAIL.exec(text);
  if (!match) return text;
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(2).map(Number);
  return `${match[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
