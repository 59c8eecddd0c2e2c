import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Prefix lengths that one customer of an access provider typically has. Failed
 * attempts count per such network.
 */
const NETWORK_BITS = { ipv4: 24, ipv6: 64 } as const;

const DOTTED_TAIL = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/**
 * Reads only the usual notation: four decimal parts, or IPv6 without a zone index. ipaddr.js also accepts
 * octal, hexadecimal and shorter forms of IPv4, which other programs read as other addresses.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (isIPv6(text) && !text.includes('%')) return ipaddr.IPv6.parse(withHexTail(text));
  return undefined;
}

/** Turns IPv4-mapped IPv6 (`::ffff:192.0.2.1`), which dual-stack sockets report, into IPv4. */
function unmapped(address: IpAddress): IpAddress {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** `::1.2.3.4` is `::102:304`; ipaddr.js reads it as `::ffff:102:304`, which is the IPv4 address 1.2.3.4. */
function withHexTail(text: string): string {
  const match = DOTTED_TAIL.exec(text);
  if (!match) return text;
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(2).map(Number);
  return `${match[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/**
 * Canonical text (RFC 5952) without a zone index; IPv4-mapped IPv6 becomes IPv4. Undefined for other text.
 */
export function normalisedAddress(text: string): string | undefined {
  const address = parseIpAddress(text.replace(/%.*$/s, ''));
  return address && unmapped(address).toString();
}

/**
 * Key of one subscriber: the IPv4 address, or the /64 network of IPv6, in which a
 * client can change its address.
 */
export const subscriberOf = (address: string): string =>
  address.includes(':') ? networkOf(address) : address;

/**
 * The network of a normalised address, such as `192.0.2.0/24` or `2001:db8::/64`, or
 * with the given prefix length.
 */
export function networkOf(address: string, prefixLength?: number): string {
  const parsed = parseIpAddress(address);
  if (!parsed) throw new RangeError('networkOf needs a normalised address');
  const plain = unmapped(parsed);
  const bits = prefixLength ?? NETWORK_BITS[plain.kind()];
  return `${firstAddress(plain, bits)}/${bits}`;
}

/** The first address of the network with this prefix length. */
function firstAddress(address: IpAddress, bits: number): string {
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return family.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString();
}

/** Why a text is no entry: a stable word, and a sentence. */
interface AddressError {
  readonly reason: 'INVALID_IP_ADDRESS' | 'RANGE_TOO_WIDE';
  readonly message: string;
}

/** One parsed entry: its canonical text, or its error. */
type AddressEntry = { canonical: string } | { error: AddressError };

interface AddressRange {
  network: IpAddress;
  prefixLength: number;
}

export const NOT_AN_ADDRESS: AddressError = {
  reason: 'INVALID_IP_ADDRESS',
  message: 'This is not an IPv4 or IPv6 address or a CIDR range.',
};
const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Length of the prefix `::ffff:0:0/96`, under which IPv6 contains the IPv4 addresses. */
const MAPPED_PREFIX_LENGTH = 96;

/**
 * Reads one entry of a whitelist or of `TRUSTED_PROXIES`: an address, or a CIDR range of at least one prefix
 * bit whose host bits are zero. Refuses octal numbers, three parts, zone indexes and surrounding blanks.
 * Canonical form: RFC 5952, IPv4-mapped IPv6 written as IPv4, a range of one address written as that address.
 */
export function parseAddressEntry(text: string): AddressEntry {
  const range = rangeFrom(text);
  return 'error' in range ? range : { canonical: canonicalText(range) };
}

/** IP addresses and ranges. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export class AddressList {
  private constructor(private readonly ranges: readonly AddressRange[]) {}

  /** @throws RangeError with the entry that `parseAddressEntry` refuses */
  static of(entries: readonly string[]): AddressList {
    return new AddressList(
      entries.map((entry) => {
        const range = rangeFrom(entry);
        if ('error' in range) throw new RangeError(`${JSON.stringify(entry)}: ${range.error.message}`);
        return range;
      }),
    );
  }

  /** An empty list includes no address. If it should allow every address, the caller checks this first. */
  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** False for text that is not an IP address. */
  includes(address: string): boolean {
    const parsed = parseIpAddress(address);
    if (!parsed) return false;
    const sought = unmapped(parsed);
    return this.ranges.some(
      ({ network, prefixLength }) => network.kind() === sought.kind() && sought.match(network, prefixLength),
    );
  }

  /**
   * Whether every address of the other list is in this one, also where several ranges
   * together hold a larger one.
   */
  covers(other: AddressList): boolean {
    const own = spansOf(this.ranges);
    return spansOf(other.ranges).every(({ kind, first, last }) =>
      own.some((span) => span.kind === kind && span.first <= first && last <= span.last),
    );
  }
}

/** Addresses without a gap, as numbers. */
interface AddressSpan {
  readonly kind: 'ipv4' | 'ipv6';
  readonly first: bigint;
  readonly last: bigint;
}

/** The addresses of all ranges, in as few spans as there are. */
function spansOf(ranges: readonly AddressRange[]): AddressSpan[] {
  const sorted = ranges
    .map(spanOf)
    .sort((a, b) => a.kind.localeCompare(b.kind) || (a.first < b.first ? -1 : Number(a.first > b.first)));
  const spans: AddressSpan[] = [];
  for (const span of sorted) {
    const before = spans.at(-1);
    if (before === undefined || before.kind !== span.kind || span.first > before.last + 1n) spans.push(span);
    else if (span.last > before.last) spans[spans.length - 1] = { ...before, last: span.last };
  }
  return spans;
}

function spanOf({ network, prefixLength }: AddressRange): AddressSpan {
  const kind = network.kind();
  const first = network.toByteArray().reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  return { kind, first, last: first + 2n ** BigInt(BITS[kind] - prefixLength) - 1n };
}

function rangeFrom(text: string): AddressRange | { error: AddressError } {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseIpAddress(addressText);
  if (!address || rest.length > 0) return { error: NOT_AN_ADDRESS };

  const bits = BITS[address.kind()];
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return { error: NOT_AN_ADDRESS };
  const prefixLength = prefixText === undefined ? bits : Number(prefixText);
  if (prefixLength > bits)
    return { error: { reason: 'INVALID_IP_ADDRESS', message: `The prefix length is at most ${bits}.` } };
  if (prefixLength === 0)
    return { error: { reason: 'RANGE_TOO_WIDE', message: 'A range of all addresses (/0) is not allowed.' } };
  if (firstAddress(address, prefixLength) !== address.toString())
    return {
      error: { reason: 'INVALID_IP_ADDRESS', message: 'The address has bits set beyond the prefix length.' },
    };
  return withoutMapping(address, prefixLength);
}

/** Addresses are compared in their IPv4 form, so a range inside `::ffff:0:0/96` is an IPv4 range. */
function withoutMapping(address: IpAddress, prefixLength: number): AddressRange | { error: AddressError } {
  const network = unmapped(address);
  if (network === address) return { network, prefixLength };
  if (prefixLength <= MAPPED_PREFIX_LENGTH)
    return { error: { reason: 'RANGE_TOO_WIDE', message: 'A range of all IPv4 addresses is not allowed.' } };
  return { network, prefixLength: prefixLength - MAPPED_PREFIX_LENGTH };
}

function canonicalText({ network, prefixLength }: AddressRange): string {
  const isSingle = prefixLength === BITS[network.kind()];
  return isSingle ? network.toString() : `${network.toString()}/${prefixLength}`;
}
