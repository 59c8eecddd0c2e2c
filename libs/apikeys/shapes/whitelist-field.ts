import { parseAddressEntry } from '@app/core/network/address-list';
import { Check, field, type FieldOptions } from '@app/core/wire/fields';

/** Every use of a key looks through its whole list. */
export const MOST_ADDRESSES = 100;

/** The longest entry, an IPv6 address with a dotted end and a prefix length, has 49 characters. */
const LONGEST_ENTRY = 64;

/** The addresses that a key may be used from: an array, which may be empty, of addresses and CIDR ranges. */
export const WhitelistField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    false,
    (value) => value,
    { type: [String], maxItems: MOST_ADDRESSES },
    Check('whitelist', faultOfWhitelist),
  );

/** The entries in canonical form, each once, in the order given. */
export function canonicalWhitelist(entries: readonly string[]): string[] {
  const canonical = entries.map((text) => {
    const entry = parseAddressEntry(text);
    if ('fault' in entry) throw new TypeError('The whitelist was not checked');
    return entry.canonical;
  });
  return [...new Set(canonical)];
}

function faultOfWhitelist(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'This value should be an array of addresses.';
  if (value.length > MOST_ADDRESSES) return `This value should have ${MOST_ADDRESSES} addresses or less.`;
  for (const item of value as unknown[]) {
    if (typeof item !== 'string') return 'Each address should be a string.';
    if (item.length > LONGEST_ENTRY) return 'This is not an IPv4 or IPv6 address or a CIDR range.';
    const entry = parseAddressEntry(item);
    if ('fault' in entry) return `${JSON.stringify(item)}: ${entry.fault}`;
  }
  return undefined;
}
