import { countryById } from '@app/core/geography/countries';
import {
  Check,
  field,
  isStorableText,
  MAX_INTEGER,
  TextField,
  type FieldOptions,
} from '@app/core/wire/fields';
import { integerFromWire } from '@app/core/wire/leniency';

/** The identifier of a country: ISO 3166-1 alpha-2 in any case, `""` for none. */
export const CountryField = (options: FieldOptions): PropertyDecorator =>
  TextField({
    ...options,
    max: 2,
    emptyIsAbsent: true,
    check: (text) => (countryById(text) === undefined ? 'This country does not exist.' : undefined),
    example: 'NL',
  });

const LATEST_TIMESTAMP = 253_402_300_799;

/** A moment as text holding Unix seconds, up to the end of the year 9999. */
export const TimestampField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    true,
    integerFromWire,
    { type: String },
    Check('timestamp', (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LATEST_TIMESTAMP
        ? undefined
        : 'This value should be a timestamp in Unix seconds.',
    ),
  );

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

const MOST_AGREEMENTS = 50;
const AGREEMENTS = 'This value should be an object from entity class name to agreement id.';

/** Agreement ids by entity class name; `[]` is the empty object. */
export const AgreementsField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    false,
    (value) => (Array.isArray(value) && value.length === 0 ? {} : withIntegers(value)),
    { type: 'object', additionalProperties: { type: 'integer' } },
    Check('agreements', (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MOST_AGREEMENTS &&
      Object.entries(value).every(
        ([name, id]) => name.length <= 255 && isStorableText(name) && isWhole(id, 1, MAX_INTEGER),
      )
        ? undefined
        : AGREEMENTS,
    ),
  );

/** The days of the month between which invoices are made; a missing bound takes its default, 1 or 28. */
export const InvoiceDayField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    true,
    (value) =>
      isPlainObject(value)
        ? withIntegers({ min: given(value['min']) ?? 1, max: given(value['max']) ?? 28 })
        : value,
    {
      type: 'object',
      properties: {
        min: { type: 'integer', minimum: 1, maximum: 28, default: 1 },
        max: { type: 'integer', minimum: 1, maximum: 28, default: 28 },
      },
    },
    Check('invoiceDay', (value) =>
      isPlainObject(value) &&
      isWhole(value['min'], 1, 28) &&
      isWhole(value['max'], 1, 28) &&
      (value['min'] as number) <= (value['max'] as number)
        ? undefined
        : 'This value should have min and max from 1 to 28, min not above max.',
    ),
  );

/** Old clients send an empty text for a number that they leave out (decisions.md section 1). */
const given = (value: unknown): unknown => (value === '' ? undefined : value);

const withIntegers = (value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, integerFromWire(item)]))
    : value;
