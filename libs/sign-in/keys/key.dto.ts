import { ArrayMaxSize, IsArray } from 'class-validator';
import { NOT_AN_ADDRESS, parseAddressEntry } from '@app/formats/ip-address';
import { EachItem, field, IntegerField, TimestampField } from '@app/platform/dto/field.decorators';
import { refusingAtOnce } from '@app/platform/dto/field-checks';
import { createShape, type EveryField } from '@app/platform/dto/shapes';
import { type FieldError, fieldError } from '@app/platform/errors/api-error';
import { StepUpCodeField, StepUpPasswordField, stepUpProof } from '@app/security/passwords/step-up-fields';
import type { Proven } from '@app/security/passwords/step-up-proof';
import { type KeyRotation, MAX_OLD_KEY_HOURS, WHITELIST_LIMIT } from './key.types';

/** Describes the fields of every kind of key. */
export const KEY = {
  whitelist: {
    description:
      'IPv4 and IPv6 addresses and CIDR ranges that the key may be used from, in canonical form; empty: any',
    example: ['192.0.2.10', '2001:db8::/32'],
  },
} as const;

/** End of a new key. The INSERT checks that it is in the permitted range, by the database's clock. */
export const ExpiresField = (description: string): PropertyDecorator => TimestampField({ description });

/** The longest entry, an IPv6 address with a dotted end and a prefix length, has 49 characters. */
const MAX_ENTRY_LENGTH = 64;

/** The IP addresses and CIDR ranges from which a key may be used: an array, possibly empty. */
export const WhitelistField = ({ required } = { required: true }): PropertyDecorator =>
  field(
    { required, ...KEY.whitelist },
    {
      emptyIsAbsent: false,
      documentation: { type: ['string'], maxItems: WHITELIST_LIMIT },
      checks: [
        IsArray(refusingAtOnce(NO_ADDRESSES)),
        ArrayMaxSize(WHITELIST_LIMIT, refusingAtOnce(TOO_MANY_ADDRESSES)),
        EachItem('areAddresses', WHITELIST_LIMIT, faultOfEntry),
      ],
    },
  );

const NO_ADDRESSES = fieldError('WRONG_TYPE', 'This value should be an array of addresses.');
const TOO_MANY_ADDRESSES = fieldError(
  'TOO_LONG',
  `This value should have ${WHITELIST_LIMIT} addresses or less.`,
);

/** The entries in canonical form without duplicates, in the given order. */
export function canonicalWhitelist(entries: readonly string[]): string[] {
  const canonical = entries.map((text) => {
    const entry = parseAddressEntry(text);
    if ('error' in entry) throw new TypeError('The whitelist was not checked');
    return entry.canonical;
  });
  return [...new Set(canonical)];
}

function faultOfEntry(item: unknown): FieldError | undefined {
  if (typeof item !== 'string') return fieldError('WRONG_TYPE', 'Each address should be a string.');
  if (item.length > MAX_ENTRY_LENGTH) return NOT_AN_ADDRESS;
  const entry = parseAddressEntry(item);
  if (!('error' in entry)) return undefined;
  return fieldError(entry.error.reason, `${JSON.stringify(item)}: ${entry.error.message}`);
}

/** A day, to distribute the new key to the programs that use the old one. */
const USUAL_OLD_KEY_HOURS = 24;

/** Body of `POST …/rotate`. */
class RotateApiKeyDto {
  @IntegerField({
    min: 0,
    max: MAX_OLD_KEY_HOURS,
    default: USUAL_OLD_KEY_HOURS,
    description: 'Hours that the old key lives on, no longer than it would have; it ends at once with 0',
  })
  oldKeyHours?: number;

  @ExpiresField(
    'When the new key ends, in Unix seconds; absent: after as long a life as the old one was given',
  )
  expires?: number;

  @StepUpPasswordField() password?: unknown;
  @StepUpCodeField() '6digitCode'?: unknown;
}

export const rotateKeyShape = createShape(RotateApiKeyDto, (dto): EveryField<KeyRotation & Proven> => ({
  oldKeyHours: dto.oldKeyHours ?? USUAL_OLD_KEY_HOURS,
  expiresAt: dto.expires,
  proof: stepUpProof(dto),
}));
