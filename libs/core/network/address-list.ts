import { fault, type Fault } from '../errors/fault';
import { IpAddress, parseIpAddress, unmapped } from './ip-address';

/** The outcome of reading one entry: its canonical text, or what is wrong with it. */
export type AddressEntry = { canonical: string } | { error: Fault };

interface AddressRange {
  network: IpAddress;
  prefixLength: number;
}

export const NOT_AN_ADDRESS = fault(
  'INVALID_IP_ADDRESS',
  'This is not an IPv4 or IPv6 address or a CIDR range.',
);
const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Length of the prefix `::ffff:0:0/96` under which IPv6 holds the IPv4 addresses. */
const MAPPED_PREFIX_LENGTH = 96;

/**
 * Reads one entry of a whitelist or of `TRUSTED_PROXIES`: an address, or a CIDR range of at least one prefix bit
 * whose host bits are zero. Nothing is guessed: octal, three parts, zone indexes and surrounding blanks are refused.
 * Canonical form: RFC 5952, IPv4-mapped IPv6 written as IPv4, a range of one address written as that address.
 */
export function parseAddressEntry(text: string): AddressEntry {
  const range = rangeFrom(text);
  return 'error' in range ? range : { canonical: canonicalText(range) };
}

/** Addresses and ranges to match a caller's address against; IPv4 and IPv4-mapped IPv6 are the same address in it. */
export class AddressList {
  private constructor(private readonly ranges: readonly AddressRange[]) {}

  /** @throws RangeError naming the entry that `parseAddressEntry` refuses */
  static of(entries: readonly string[]): AddressList {
    return new AddressList(
      entries.map((entry) => {
        const range = rangeFrom(entry);
        if ('error' in range) throw new RangeError(`${JSON.stringify(entry)}: ${range.error.message}`);
        return range;
      }),
    );
  }

  /** An empty list includes nothing: where empty means "any address" the caller asks this first. */
  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** False for text that is not an address. */
  includes(address: string): boolean {
    const parsed = parseIpAddress(address);
    if (!parsed) return false;
    const sought = unmapped(parsed);
    return this.ranges.some(
      ({ network, prefixLength }) => network.kind() === sought.kind() && sought.match(network, prefixLength),
    );
  }
}

function rangeFrom(text: string): AddressRange | { error: Fault } {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseIpAddress(addressText);
  if (!address || rest.length > 0) return { error: NOT_AN_ADDRESS };

  const bits = BITS[address.kind()];
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return { error: NOT_AN_ADDRESS };
  const prefixLength = prefixText === undefined ? bits : Number(prefixText);
  if (prefixLength > bits)
    return { error: fault('INVALID_IP_ADDRESS', `The prefix length is at most ${bits}.`) };
  if (prefixLength === 0)
    return { error: fault('RANGE_TOO_WIDE', 'A range of all addresses (/0) is not allowed.') };
  if (hasHostBits(address, prefixLength))
    return { error: fault('INVALID_IP_ADDRESS', 'The address has bits set beyond the prefix length.') };
  return withoutMapping(address, prefixLength);
}

/** A range inside `::ffff:0:0/96` is an IPv4 range, since addresses are compared in their IPv4 form. */
function withoutMapping(address: IpAddress, prefixLength: number): AddressRange | { error: Fault } {
  const network = unmapped(address);
  if (network === address) return { network, prefixLength };
  if (prefixLength <= MAPPED_PREFIX_LENGTH)
    return { error: fault('RANGE_TOO_WIDE', 'A range of all IPv4 addresses is not allowed.') };
  return { network, prefixLength: prefixLength - MAPPED_PREFIX_LENGTH };
}

function hasHostBits(address: IpAddress, prefixLength: number): boolean {
  return address.toByteArray().some((byte, index) => {
    const prefixBitsHere = Math.min(8, Math.max(0, prefixLength - index * 8));
    return (byte & (0xff >> prefixBitsHere)) !== 0;
  });
}

function canonicalText({ network, prefixLength }: AddressRange): string {
  const isSingle = prefixLength === BITS[network.kind()];
  return isSingle ? network.toString() : `${network.toString()}/${prefixLength}`;
}
