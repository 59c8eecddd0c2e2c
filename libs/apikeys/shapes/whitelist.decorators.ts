import { fault, faultsIn, type FoundFaults } from '@app/core/errors/fault';
import { NOT_AN_ADDRESS, parseAddressEntry } from '@app/core/network/address-list';
import { Check, field } from '@app/core/wire/field.decorators';
import { WHITELIST_LIMIT } from '../apikeys.limits';
import { API_KEY } from './api-key.properties';

/** The longest entry, an IPv6 address with a dotted end and a prefix length, has 49 characters. */
const MAX_ENTRY_LENGTH = 64;

/** The addresses that a key may be used from: an array, which may be empty, of addresses and CIDR ranges. */
export const WhitelistField = (): PropertyDecorator =>
  field(
    { required: true, ...API_KEY.whitelist },
    false,
    (value) => value,
    { type: [String], maxItems: WHITELIST_LIMIT },
    Check('whitelist', validateWhitelist),
  );

/** The entries in canonical form, each once, in the order given. */
export function canonicalWhitelist(entries: readonly string[]): string[] {
  const canonical = entries.map((text) => {
    const entry = parseAddressEntry(text);
    if ('error' in entry) throw new TypeError('The whitelist was not checked');
    return entry.canonical;
  });
  return [...new Set(canonical)];
}

function validateWhitelist(value: unknown): FoundFaults {
  if (!Array.isArray(value)) return fault('WRONG_TYPE', 'This value should be an array of addresses.');
  if (value.length > WHITELIST_LIMIT) {
    return fault('TOO_LONG', `This value should have ${WHITELIST_LIMIT} addresses or less.`);
  }
  return value.flatMap((item: unknown) => faultsIn(validateEntry(item)));
}

function validateEntry(item: unknown): FoundFaults {
  if (typeof item !== 'string') return fault('WRONG_TYPE', 'Each address should be a string.');
  if (item.length > MAX_ENTRY_LENGTH) return NOT_AN_ADDRESS;
  const entry = parseAddressEntry(item);
  if (!('error' in entry)) return undefined;
  return fault(entry.error.reason, `${JSON.stringify(item)}: ${entry.error.message}`);
}
